/** @file Loads the questions of the graded runs that influenced the choice of a worker. */
import type { RunStore } from '../../core/contract';

export class CountedRuns {
  readonly #store: Pick<RunStore, 'summary'>;
  #questions: readonly { readonly runId: string; readonly question: string | null }[] = $state.raw([]);
  #requested: readonly string[] = [];

  constructor(store: Pick<RunStore, 'summary'>) {
    this.#store = store;
  }

  /** The beginning of a run's question. `null`: this browser has no such run. `undefined`: not loaded yet. */
  questionOf(runId: string): string | null | undefined {
    return this.#questions.find((each) => each.runId === runId)?.question;
  }

  /** Loads the question of each run once. If loading fails, the next call retries. */
  read(runIds: readonly string[]): void {
    for (const runId of runIds) {
      if (this.#requested.includes(runId)) continue;
      this.#requested = [...this.#requested, runId];
      this.#store.summary(runId).then(
        (summary) => void (this.#questions = [...this.#questions, { runId, question: summary?.question ?? null }]),
        () => void (this.#requested = this.#requested.filter((other) => other !== runId)),
      );
    }
  }
}
