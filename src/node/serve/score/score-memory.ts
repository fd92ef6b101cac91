/**
 * @file Remembers the scores that `podium serve --score` is computing or has computed recently, so that a repeated request costs
 * nothing. A score is the reward of a plan, for training.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../../core/contract';
import type { ScoreItem, ScoreResult } from './score-request';

/** How long a result is kept after its last use, in ms. */
const REMEMBERED = 600_000;
/** Maximum number of results that are kept. */
const MOST_REMEMBERED = 100_000;
/** Maximum number of failed runs that are kept for a retry. The limit is low, because runs can be large. */
const MOST_FAILED = 1000;

/**
 * How long a score continues that no request waits for, in ms. A client that has lost its connection, or has ended it because of
 * its own time limit, usually sends the request again at once. A client that was told to send it again may pause before that.
 */
const AWAITED = { lost: 2000, late: 30_000 };

/** A score in progress. */
interface Pending {
  readonly result: Promise<ScoreResult>;
  /** Aborts when no request has waited for the result for a while. */
  readonly abandoned: AbortController;
  /** The number of requests that wait for the result. */
  waiting: number;
  /** Runs since the last request stopped waiting. `null`: requests are waiting. */
  timer: NodeJS.Timeout | null;
}

/** Why a request stopped waiting for a result: its client is gone, or it was answered without the result. */
export type Leaving = keyof typeof AWAITED;

/** The outcome of scoring an item. An item is a plan with its task. */
export interface Scored {
  readonly result: ScoreResult;
  /** Id of a failed run that a retry can continue. `null`: there is no such run. */
  readonly failedRun: string | null;
}

const NEVER = new Promise<never>(() => undefined);

export class ScoreMemory {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Called with the id of a failed run when the run is forgotten. After that, no retry can continue the run. */
  readonly #dropped: (runId: string) => void;
  /** Pending results by item. */
  readonly #underWay = new Map<string, Pending>();
  /** Recent results by item, least recently used first. `until` is a monotonic time in ms. */
  readonly #known = new Map<string, { readonly result: ScoreResult; readonly until: number }>();
  /** Ids of failed runs by item, oldest first. */
  readonly #failed = new Map<string, { readonly runId: string; readonly until: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>, dropped: (runId: string) => void) {
    this.#clock = clock;
    this.#dropped = dropped;
  }

  /** The number of scores in progress. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Resolves when no score is in progress. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }

  /**
   * Returns the kept or pending result of an equal item if there is one. Otherwise calls `score` with the id of the item's failed
   * run, or `null`, and a signal that aborts if no request waits for the result any more. Results that a retry can change are not
   * kept.
   * @param left resolves when the request stops waiting. Then the method resolves with `null`
   */
  async scoreOnce(
    item: ScoreItem,
    score: (failedRun: string | null, abandoned: AbortSignal) => Promise<Scored>,
    left: Promise<Leaving> = NEVER,
  ): Promise<ScoreResult | null> {
    const key = keyOf(item);
    for (;;) {
      this.#forgetOld();
      const known = this.#known.get(key)?.result;
      if (known) {
        this.#remember(key, known);
        return known;
      }
      const earlier = this.#underWay.get(key);
      if (!earlier?.abandoned.signal.aborted) return this.#await(earlier ?? this.#begin(key, score), left);
      // The score of an equal item is being stopped. A new one can continue its run.
      await earlier.result.catch(() => undefined);
    }
  }

  #begin(key: string, score: (failedRun: string | null, abandoned: AbortSignal) => Promise<Scored>): Pending {
    const failed = this.#failed.get(key)?.runId ?? null;
    this.#failed.delete(key);
    const abandoned = new AbortController();
    const result = this.#score(key, () => score(failed, abandoned.signal)).finally(() => this.#underWay.delete(key));
    const pending = { result, abandoned, waiting: 0, timer: null };
    this.#underWay.set(key, pending);
    return pending;
  }

  async #await(pending: Pending, left: Promise<Leaving>): Promise<ScoreResult | null> {
    if (pending.timer) clearTimeout(pending.timer);
    pending.waiting += 1;
    const ended = await Promise.race([pending.result, left]).finally(() => (pending.waiting -= 1));
    if (typeof ended !== 'string') return ended;
    if (pending.waiting === 0) {
      // The timer must not keep the process running.
      pending.timer = setTimeout(() => pending.abandoned.abort(), AWAITED[ended]).unref();
    }
    return null;
  }

  async #score(key: string, score: () => Promise<Scored>): Promise<ScoreResult> {
    const { result, failedRun } = await score();
    if (!result.error?.retryable) this.#remember(key, result);
    if (failedRun !== null) this.#failed.set(key, { runId: failedRun, until: this.#until() });
    return result;
  }

  #remember(key: string, result: ScoreResult): void {
    this.#known.delete(key);
    this.#known.set(key, { result, until: this.#until() });
  }

  #until(): number {
    return this.#clock.monotonic() + REMEMBERED;
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [key, { until }] of this.#known) {
      if (until > now && this.#known.size <= MOST_REMEMBERED) break;
      this.#known.delete(key);
    }
    for (const [key, { runId, until }] of this.#failed) {
      if (until > now && this.#failed.size <= MOST_FAILED) break;
      this.#failed.delete(key);
      this.#dropped(runId);
    }
  }
}

function keyOf({ id, task, pool, seed, completion }: ScoreItem): string {
  return createHash('sha256')
    .update(JSON.stringify([id, task, pool, seed, completion]))
    .digest('base64');
}
