/** @file The export formats of runs, and the names of the exported files. */
import type { RunExport } from '../../core/contract';
import { dateInName } from '../state/save-file';

/**
 * An export format and its options. `podium`: a file that Podium can import. `rollouts`: graded plans, for training a model with
 * GRPO.
 */
export type ExportChoice =
  { readonly format: 'podium'; readonly compress: boolean } | { readonly format: 'rollouts' } | RunExport;

/** The name of the exported file. @param now ms since the epoch */
export function exportName(choice: ExportChoice, now: number): string {
  const date = dateInName(now);
  switch (choice.format) {
    case 'podium':
      return `podium-runs-${date}.podium.jsonl${choice.compress ? '.gz' : ''}`;
    case 'csv':
    case 'parquet':
      return `podium-${choice.table}-${date}.${choice.format}`;
    case 'open-telemetry':
      return `podium-traces-${date}.otlp.jsonl`;
    case 'inspect':
      return `podium-inspect-${date}.zip`;
    case 'rollouts':
      return `podium-rollouts-${date}.jsonl`;
    default:
      return choice satisfies never;
  }
}
