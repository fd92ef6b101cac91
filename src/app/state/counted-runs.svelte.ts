/** @file Reads the questions of the graded runs that counted when workers were chosen. */
import type { RunStore } from '../../core/contract';

export class CountedRuns {
  readonly #store: Pick<RunStore, 'summary'>;
  #questions: readonly { readonly runId: string; readonly question: string | null }[] = $state.raw([]);
  #requested: readonly string[] = [];

  constructor(store: Pick<RunStore, 'summary'>) {
    this.#store = store;
  }

  /** The beginning of a run's question. `null`: this browser has no such run. `undefined`: not read yet. */
  questionOf(runId: string): string | null | undefined {
    return this.#questions.find((each) => each.runId === runId)?.question;
  }

  /** Reads the questions of these runs, each once. If reading a question fails, the next call tries again. */
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
