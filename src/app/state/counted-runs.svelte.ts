/** @file The questions of the graded runs that a choice of workers names. Read once, and only while they are shown. */
import { SvelteMap } from 'svelte/reactivity';
import type { RunStore } from '../../core/contract';

export class CountedRuns {
  readonly #store: Pick<RunStore, 'summary'>;
  /** By run id. `null`: there is no such run here. Missing: not read yet. */
  readonly #questions = new SvelteMap<string, string | null>();
  readonly #requested = new Set<string>();

  constructor(store: Pick<RunStore, 'summary'>) {
    this.#store = store;
  }

  /** The beginning of a run's question. `null`: the run is not here. `undefined`: not known yet. */
  questionOf(runId: string): string | null | undefined {
    return this.#questions.get(runId);
  }

  /** Reads the questions of these runs. One that can't be read stays unknown, and the next call tries again. */
  read(runIds: readonly string[]): void {
    for (const runId of runIds) {
      if (this.#requested.has(runId)) continue;
      this.#requested.add(runId);
      this.#store.summary(runId).then(
        (summary) => this.#questions.set(runId, summary?.question ?? null),
        () => this.#requested.delete(runId),
      );
    }
  }
}
