/** @file Which side of a call the panel shows. */
export type PanelView = 'output' | 'prompt' | 'both';

export const PANEL_VIEWS: readonly { readonly value: PanelView; readonly label: string }[] = [
  { value: 'output', label: 'Output' },
  { value: 'prompt', label: 'Prompt' },
  { value: 'both', label: 'Both' },
];
