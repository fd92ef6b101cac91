/** @file Exports the results, the plan or the rollouts of a batch, and imports a batch from a JSON file. */
import {
  fault,
  FaultError,
  type Batch,
  type BatchStore,
  type Outcome,
  type ProgressListener,
  type RunStore,
} from '../../core/contract';
import { CSV_START } from '../../core/analysis/exports/csv';
import { version } from '../../../package.json';
import { fileText } from '../state/file-text';
import { chooseTarget, dateInName, streamOf, type ChooseTarget } from '../state/save-file';
import type { ResultsTable } from '../../core/evaluation/tables/results-table';

export const EXPORT_FORMATS = ['csv', 'markdown', 'latex', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  csv: 'csv',
  markdown: 'md',
  latex: 'tex',
  json: 'podium-batch.json',
};

/** Maximum size of an imported file in bytes. */
const LARGEST = 512e6;

interface Exported {
  readonly batch: Batch;
  readonly outcomes: readonly Outcome[];
  readonly table: ResultsTable;
  /** Whether the exported table includes rows with the paper's results. JSON files never include them. */
  readonly withPublished: boolean;
}

/** Asks where to save, and writes the results. Needs a user gesture. @returns whether the file was written */
export async function exportBatch(
  format: ExportFormat,
  { batch, outcomes, table, withPublished }: Exported,
  choose: ChooseTarget = chooseTarget,
): Promise<boolean> {
  const now = Date.now();
  const target = await choose(`podium-${fileName(batch.name)}-${dateInName(now)}.${EXTENSIONS[format]}`);
  if (!target) return false;
  const [{ writeBatchFile }, { tableAsCsv, tableAsLatex, tableAsMarkdown }] = await Promise.all([
    import('../../core/evaluation/tables/batch-file'),
    import('../../core/evaluation/tables/export-table'),
  ]);
  const shown = withPublished ? table : { ...table, published: [] };
  const text = (() => {
    switch (format) {
      case 'csv':
        return CSV_START + tableAsCsv(shown);
      case 'markdown':
        return tableAsMarkdown(shown);
      case 'latex':
        return tableAsLatex(shown);
      case 'json':
        return writeBatchFile(batch, outcomes, { app: version, exportedAt: now });
      default:
        return format satisfies never;
    }
  })();
  const stream = new Blob([text]).stream();
  await target.write(stream, new AbortController().signal);
  return true;
}

/**
 * Asks where to save, and writes a file that contains a batch without outcomes. Podium's command line can run
 * the batch. Needs a user gesture. @returns whether the file was written
 */
export async function exportPlan(batch: Batch, choose: ChooseTarget = chooseTarget): Promise<boolean> {
  const now = Date.now();
  const target = await choose(`podium-${fileName(batch.name)}-plan-${dateInName(now)}.${EXTENSIONS.json}`);
  if (!target) return false;
  const { writeBatchFile } = await import('../../core/evaluation/tables/batch-file');
  const text = writeBatchFile(batch, [], { app: version, exportedAt: now });
  await target.write(new Blob([text]).stream(), new AbortController().signal);
  return true;
}

/**
 * Asks where to save, and writes the rollouts of a batch for training with GRPO. A rollout is a workflow with
 * its reward. The repeats of one task with one method form a group of candidates. Needs a user gesture.
 * @returns the number of rollouts. `null`: the user chose no file
 */
export async function exportRollouts(
  { batch, outcomes, store }: Pick<Exported, 'batch' | 'outcomes'> & { readonly store: Pick<RunStore, 'read'> },
  { signal, onprogress }: { readonly signal: AbortSignal; readonly onprogress: ProgressListener },
  choose: ChooseTarget = chooseTarget,
): Promise<number | null> {
  const target = await choose(`podium-${fileName(batch.name)}-rollouts-${dateInName(Date.now())}.jsonl`);
  if (!target) return null;
  const { batchRolloutLines } = await import('../../core/training/export/rollout-export');
  let rollouts = 0;
  const lines = batchRolloutLines(store, batch, outcomes, {
    signal,
    onProgress: (progress) => {
      rollouts = progress.rollouts;
      onprogress(progress.runs, progress.of);
    },
  });
  await target.write(streamOf(lines), signal);
  return rollouts;
}

/** Imports a batch from a JSON file under a new id. Rejects with a `FaultError` if the file is no batch. @returns the new id */
export async function importBatch(file: Blob, batches: BatchStore, id: string): Promise<string> {
  if (file.size > LARGEST)
    throw new FaultError(
      fault('too-large', 'This file is too large to be the results of a batch. Choose another file.'),
    );
  const { readBatchFile } = await import('../../core/evaluation/tables/batch-file');
  const { batch, outcomes } = readBatchFile(await fileText(file), id);
  try {
    // The batch is stored last, so that it is never listed without its results.
    await batches.addOutcomes(outcomes);
    await batches.put(batch);
  } catch (thrown) {
    await batches.remove(batch.id).catch(() => undefined);
    throw thrown;
  }
  return batch.id;
}

/** The name of a batch, as a part of the name of a file. */
export function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return plain.slice(0, 60) || 'batch';
}
