/** @file A search that is carried out in this tab. Its lock is held until it has ended or was stopped. */
import { isAbort, toFault, type Clock, type Fault } from '../contract';
import { search, type SearchOptions } from './search';
import type { SearchState } from './search-state';

export interface LiveSearchOptions extends Omit<SearchOptions, 'onState'> {
  readonly id: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Called once, when no further event can be stored. */
  readonly ended: () => void;
}

export class LiveSearch {
  readonly id: string;
  /** Resolves when the search has ended, has failed or was stopped. Never rejects. */
  readonly done: Promise<void>;
  /** Why the search paused. `null`: it runs, it was stopped, or it is done. */
  fault: Fault | null = null;
  #state: SearchState;
  readonly #listeners = new Set<() => void>();
  readonly #controller = new AbortController();
  readonly #clock: LiveSearchOptions['clock'];
  readonly #began: { readonly at: number; readonly done: number };

  constructor(state: SearchState, { id, clock, ended, ...options }: LiveSearchOptions) {
    this.id = id;
    this.#state = state;
    this.#clock = clock;
    this.#began = { at: clock.now(), done: runsOf(state).done };
    this.done = this.#carryOut(options).finally(() => {
      ended();
      this.#notify();
    });
  }

  get state(): SearchState {
    return this.#state;
  }

  /** The estimated remaining time in ms, as if the search used its whole budget. `null`: unknown. */
  get left(): number | null {
    const { done, of } = runsOf(this.#state);
    const here = done - this.#began.done;
    return here === 0 ? null : ((this.#clock.now() - this.#began.at) / here) * Math.max(0, of - done);
  }

  /** @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops the search. Everything so far is kept, and the search can be continued. */
  stop(): void {
    this.#controller.abort();
  }

  async #carryOut(options: SearchOptions): Promise<void> {
    const onState = (state: SearchState) => {
      this.#state = state;
      this.#notify();
    };
    try {
      await search(this.#state, { ...options, onState }, this.#controller.signal);
    } catch (thrown) {
      if (!isAbort(thrown) || !this.#controller.signal.aborted) this.fault = toFault(thrown);
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** How many runs of the search, or of its proof, are done. */
export function runsOf({ runs, plan, proof, candidates }: SearchState): { readonly done: number; readonly of: number } {
  if (!proof) return { done: runs, of: plan.caps.runs };
  const compared = [0, proof.candidate, ...proof.without].map((index) => candidates[index]);
  const done = compared.map((each) => proof.tasks.filter((task) => each?.results.has(task)).length);
  return { done: done.reduce((sum, each) => sum + each, 0), of: compared.length * proof.tasks.length };
}
