/** @file The type of the open dialog on the Runs page. */
import type { RunSummary } from '../../core/contract';

/** The open dialog, with the runs that it applies to. */
export type OpenDialog =
  | { readonly kind: 'title'; readonly summary: RunSummary }
  | { readonly kind: 'note'; readonly summary: RunSummary; readonly note: string }
  | { readonly kind: 'tags'; readonly ids: readonly string[] }
  /** `ids: null` exports all runs. */
  | { readonly kind: 'export'; readonly ids: readonly string[] | null }
  | { readonly kind: 'replay'; readonly ids: readonly string[] };
