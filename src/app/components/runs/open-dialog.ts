/** @file The dialogs of the list of runs. */
import type { RunSummary } from '../../../core/contract';

/** The open dialog, with the runs that it applies to. */
export type OpenDialog =
  | { readonly kind: 'title'; readonly summary: RunSummary }
  | { readonly kind: 'note'; readonly summary: RunSummary; readonly note: string }
  | { readonly kind: 'tags'; readonly ids: readonly string[] }
  /** `ids` is `null` for all runs. */
  | { readonly kind: 'export'; readonly ids: readonly string[] | null }
  | { readonly kind: 'replay'; readonly ids: readonly string[] };
