/** @file The state of a search's page: its progress, its best lessons and its proof. */
import { isAbort, toFault, type Fault } from '../../core/contract';
import { wilsonInterval } from '../../core/analysis/statistics/interval';
import { runsOf, type LiveSearch } from '../../core/lessons/live-search';
import { winnerOf } from '../../core/lessons/next-step';
import { validationScore } from '../../core/lessons/pareto';
import type { SearchCaps } from '../../core/lessons/search-events';
import { proofOf, type ProofResult } from '../../core/lessons/proof';
import { isDone, type Searches, type StoredSearch } from '../../core/lessons/searches';
import { applySearchEvent, type Candidate, type SearchState } from '../../core/lessons/search-state';

/** A point of the validation curve: the best candidate after this many runs. */
export interface CurvePoint {
  readonly runs: number;
  readonly best: number;
  /** 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** The newest candidate, if it has just run on all validation tasks. */
  readonly accepted: number | null;
}

export class OpenSearch {
  readonly id: string;
  stored: StoredSearch | null = $state.raw(null);
  /** The newest state. */
  state: SearchState | null = $state.raw(null);
  curve: readonly CurvePoint[] = $state.raw([]);
  isLoaded = $state(false);
  isLive = $state(false);
  /** Whether another tab carries out the search. */
  isElsewhere = $state(false);
  /** The estimated remaining time in ms. `null`: unknown. */
  left: number | null = $state(null);
  /** Why the search paused, or why it can't be read or started. */
  fault: Fault | null = $state.raw(null);
  readonly #searches: Searches;
  #unsubscribe: () => void = () => undefined;

  readonly winner: Candidate | null = $derived.by(() => this.state && winnerOf(this.state));
  readonly proof: ProofResult | null = $derived.by(() => this.state && proofOf(this.state));
  /** Whether the search or its proof is done. */
  readonly isDone: boolean = $derived.by(() => this.state !== null && isDone({ state: this.state }));
  readonly runs: { readonly done: number; readonly of: number } = $derived.by(() =>
    this.state ? runsOf(this.state) : { done: 0, of: 1 },
  );

  constructor(searches: Searches, id: string) {
    this.#searches = searches;
    this.id = id;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      const stored = await this.#searches.open(this.id);
      this.stored = stored;
      this.state = stored?.state ?? null;
      this.curve = stored ? curveOf(stored) : [];
      const live = this.#searches.live(this.id);
      if (live) this.#follow(live);
      else if (stored && !this.isDone) this.isElsewhere = await this.#searches.isBusy(this.id);
    });
    this.isLoaded = true;
  }

  async resume(): Promise<void> {
    await this.#try(async () => this.#follow(await this.#searches.resume(this.id)));
  }

  async prove(): Promise<void> {
    await this.#try(async () => this.#follow(await this.#searches.prove(this.id)));
  }

  async ablate(): Promise<void> {
    await this.#try(async () => this.#follow(await this.#searches.ablate(this.id)));
  }

  async raise(caps: SearchCaps): Promise<void> {
    await this.#try(async () => this.#follow(await this.#searches.raise(this.id, caps)));
  }

  /** Stops the search. The best lessons so far are kept. */
  stop(): void {
    this.#searches.live(this.id)?.stop();
  }

  /** Deletes the search. @returns whether it is deleted */
  async remove(): Promise<boolean> {
    const live = this.#searches.live(this.id);
    live?.stop();
    await live?.done;
    await this.#try(() => this.#searches.remove(this.id));
    return this.fault === null;
  }

  close(): void {
    this.#unsubscribe();
  }

  #follow(live: LiveSearch): void {
    this.#unsubscribe();
    this.isLive = true;
    this.isElsewhere = false;
    const show = () => {
      const before = this.state;
      this.state = live.state;
      this.left = live.left;
      if (before && isPoint(before, live.state)) this.curve = [...this.curve, pointOf(before, live.state)];
    };
    show();
    this.#unsubscribe = live.subscribe(show);
    void live.done.then(() => {
      show();
      this.isLive = false;
      this.fault = live.fault;
    });
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

function curveOf({ events }: StoredSearch): CurvePoint[] {
  const points: CurvePoint[] = [];
  let state: SearchState | null = null;
  for (const event of events) {
    const next = applySearchEvent(state, event);
    if (state && isPoint(state, next)) points.push(pointOf(state, next));
    state = next;
  }
  return points;
}

/** Whether the start has just run on all validation tasks, or an iteration has ended. */
function isPoint(before: SearchState, { candidates: [start], plan, iterations, runs, proof }: SearchState): boolean {
  if (proof) return false;
  const isBaseline = runs > before.runs && runs === plan.split.validation.length;
  return iterations > before.iterations || (isBaseline && start?.results.size === runs);
}

function pointOf(before: SearchState, after: SearchState): CurvePoint {
  const { validation } = after.plan.split;
  const best = winnerOf(after) ?? after.candidates[0];
  const share = best ? (validationScore(best, validation) ?? 0) : 0;
  const graded = validation.filter((task) => (best?.results.get(task)?.score ?? null) !== null).length;
  const interval = wilsonInterval(share * graded, graded);
  const newest = after.candidates.at(-1);
  const isAccepted = after.outcomes.accepted > before.outcomes.accepted;
  const accepted = isAccepted && newest ? validationScore(newest, validation) : null;
  return { runs: after.runs, best: share, low: interval?.low ?? share, high: interval?.high ?? share, accepted };
}
