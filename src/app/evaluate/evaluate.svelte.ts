/** @file The lists of batches and of datasets on *Evaluate*. Updates the progress of batches that run in this tab. */
import {
  isAbort,
  toFault,
  type Batch,
  type BatchProgress,
  type BatchRunner,
  type Dataset,
  type Fault,
  type LiveBatch,
} from '../../core/contract';
import type { EvaluationDesk } from '../services';
import { bestMethod } from './evaluate-results';

export interface ListedBatch {
  readonly batch: Batch;
  /** `null`: not read yet. */
  readonly progress: BatchProgress | null;
  /** The method with the best mean score. `null`: not yet known, or no method has a score. */
  readonly best: BestMethod | null;
}

interface BestMethod {
  readonly label: string;
  /** Unweighted mean of the scores on the datasets, from 0 to 1. */
  readonly score: number;
}

interface ListDesk extends Pick<EvaluationDesk, 'batches' | 'datasets' | 'removal'> {
  readonly runner: Pick<BatchRunner, 'live' | 'progress'>;
}

export class EvaluateState {
  batches: readonly ListedBatch[] = $state.raw([]);
  datasets: readonly Dataset[] = $state.raw([]);
  isLoaded = $state(false);
  /** Why the newest read or change failed. `null` if it succeeded. */
  fault: Fault | null = $state.raw(null);
  readonly #desk: ListDesk;
  #subscriptions: readonly (() => void)[] = [];
  #isClosed = false;

  constructor(desk: ListDesk) {
    this.#desk = desk;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      const [batches, datasets] = await Promise.all([this.#desk.batches.list(), this.#desk.datasets.list()]);
      this.batches = batches.map((batch) => ({
        batch,
        progress: this.#desk.runner.live(batch.id)?.progress ?? null,
        best: null,
      }));
      this.datasets = datasets;
      this.isLoaded = true;
      for (const batch of batches) await this.#readProgress(batch.id);
    });
    this.isLoaded = true;
  }

  async loadDatasets(): Promise<void> {
    await this.#try(async () => {
      this.datasets = await this.#desk.datasets.list();
    });
    this.isLoaded = true;
  }

  /** Deletes a batch with its outcomes. Stops it first if it runs in this tab. */
  async remove(id: string): Promise<void> {
    await this.#try(async () => {
      const live = this.#desk.runner.live(id);
      live?.stop();
      await live?.done;
      await this.#desk.removal.removeBatch(id);
      this.batches = this.batches.filter(({ batch }) => batch.id !== id);
    });
  }

  async removeDataset(id: string): Promise<void> {
    await this.#try(async () => {
      await this.#desk.removal.removeDataset(id);
      this.datasets = this.datasets.filter((dataset) => dataset.id !== id);
    });
  }

  /** Shows a new dataset at the top of the list. */
  added(dataset: Dataset): void {
    this.datasets = [dataset, ...this.datasets.filter(({ id }) => id !== dataset.id)];
  }

  close(): void {
    this.#isClosed = true;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
  }

  async #readProgress(id: string): Promise<void> {
    if (this.#isClosed) return;
    const live: LiveBatch | null = this.#desk.runner.live(id);
    if (live) {
      const listen = live.subscribe((progress) => this.#show(id, progress));
      this.#subscriptions = [...this.#subscriptions, listen];
      this.#show(id, live.progress);
    } else {
      this.#show(id, await this.#desk.runner.progress(id));
    }
    await this.#readBest(id);
  }

  async #readBest(id: string): Promise<void> {
    const batch = this.batches.find((each) => each.batch.id === id)?.batch;
    if (!batch || this.#isClosed) return;
    const best = bestMethod(batch, await this.#desk.batches.outcomes(id));
    this.batches = this.batches.map((each) => (each.batch.id === id ? { ...each, best } : each));
  }

  #show(id: string, progress: BatchProgress): void {
    this.batches = this.batches.map((each) => (each.batch.id === id ? { ...each, progress } : each));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.fault = null;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }
}
