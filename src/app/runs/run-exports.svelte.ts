/** @file Exports runs to a file in a chosen format. */
import type { BatchStore, DatasetStore, ProgressListener, RunExport } from '../../core/contract';
import type { StorageServices } from '../services';
import { LongWork } from '../state/long-work.svelte';
import { chooseTarget, dateInName, streamOf, type ChooseTarget } from '../state/save-file';

/**
 * An export format and its options. `podium`: a file that Podium can import. `rollouts`: graded plans, for training a model with
 * GRPO.
 */
export type ExportChoice =
  { readonly format: 'podium'; readonly compress: boolean } | { readonly format: 'rollouts' } | RunExport;

/** The result of an export. */
export interface Exported {
  readonly name: string;
  /** Number of exported runs, or of exported plans if the format is `rollouts`. */
  readonly count: number;
  readonly of: 'runs' | 'plans';
  /** Messages that say which runs are missing from the file, and why. */
  readonly leftOut: readonly string[];
}

type Needed = Pick<StorageServices, 'archive' | 'store' | 'preferences'> & {
  readonly evaluation: () => Promise<{
    readonly datasets: Pick<DatasetStore, 'list'>;
    readonly batches: Pick<BatchStore, 'list'>;
  }>;
};

/** The inputs of an export besides its format. */
interface Job {
  /** Ids of the runs. `null`: all runs. */
  readonly ids: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly onprogress: ProgressListener;
  readonly leftOut: (message: string) => void;
}

interface Opened {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Number of runs or plans written so far. */
  readonly count: () => number;
}

export class RunExports {
  readonly work = new LongWork();
  /** The result of the last export. `null`: no export yet, or the last one was cancelled or failed. */
  exported: Exported | null = $state.raw(null);

  readonly #services: Needed;
  readonly #choose: ChooseTarget;

  constructor(services: Needed, choose: ChooseTarget = chooseTarget) {
    this.#services = services;
    this.#choose = choose;
  }

  /**
   * Asks where to save the file, then writes it. Call this in a user gesture, as the file picker requires.
   * @param ids ids of the runs. `null`: all runs
   */
  async export(ids: readonly string[] | null, choice: ExportChoice): Promise<void> {
    this.exported = null;
    this.exported = await this.work.do('Exporting', async (signal, onprogress) => {
      const name = exportName(choice);
      const target = await this.#choose(name);
      if (!target) return null;
      const leftOut: string[] = [];
      const job: Job = { ids, signal, onprogress, leftOut: (message) => void leftOut.push(message) };
      const { stream, count } =
        choice.format === 'rollouts' ? await this.#rollouts(job) : await this.#runs(job, choice);
      await target.write(stream, signal);
      return { name, count: count(), of: choice.format === 'rollouts' ? 'plans' : 'runs', leftOut };
    });
  }

  async #runs(job: Job, choice: Exclude<ExportChoice, { format: 'rollouts' }>): Promise<Opened> {
    const archive = await this.#services.archive();
    // Counts the written runs, because a requested run may be deleted before it is written.
    let written = 0;
    const options = {
      ...job,
      onprogress(done: number, of: number) {
        written = done;
        job.onprogress(done, of);
      },
    };
    const stream =
      choice.format === 'podium'
        ? archive.exportRuns({ ...options, compress: choice.compress })
        : archive.exportAs(choice, options);
    return { stream, count: () => written };
  }

  async #rollouts({ ids, signal, onprogress }: Job): Promise<Opened> {
    const { rolloutLines } = await import('../../core/training/export/rollout-export');
    const { importedGrades: countsImported } = await this.#services.preferences.read();
    const { datasets, batches } = await this.#services.evaluation();
    let rollouts = 0;
    const lines = rolloutLines(this.#services.store, {
      ids,
      signal,
      countsImported,
      evaluation: { datasets: await datasets.list(), batches: await batches.list() },
      onProgress: (progress) => {
        rollouts = progress.rollouts;
        onprogress(progress.runs, progress.of);
      },
    });
    return { stream: streamOf(lines), count: () => rollouts };
  }
}

/** The name of the exported file. */
function exportName(choice: ExportChoice): string {
  const date = dateInName(Date.now());
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
