/** @file Which part of a call the panel shows. `sight`: what a step saw of the other steps. Plans have no `sight` view. */
export type PanelView = 'output' | 'prompt' | 'both' | 'sight';

interface Choice {
  readonly value: PanelView;
  readonly label: string;
}

export const PLAN_VIEWS: readonly Choice[] = [
  { value: 'output', label: 'Output' },
  { value: 'prompt', label: 'Prompt' },
  { value: 'both', label: 'Both' },
];

export const STEP_VIEWS: readonly Choice[] = [...PLAN_VIEWS, { value: 'sight', label: 'What it saw' }];
