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

/** The outcome of scoring an item. An item is a plan with its task. */
export interface Scored {
  readonly result: ScoreResult;
  /** Id of a failed run that a retry can continue. `null`: there is no such run. */
  readonly failedRun: string | null;
}

export class ScoreMemory {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Called with the id of a failed run when the run is forgotten. After that, no retry can continue the run. */
  readonly #dropped: (runId: string) => void;
  /** Pending results by item. */
  readonly #underWay = new Map<string, Promise<ScoreResult>>();
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
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay.values());
  }

  /**
   * Returns the kept or pending result of an equal item if there is one. Otherwise calls `score` with the id of the item's failed
   * run, or `null`. Results that a retry can change are not kept.
   */
  async scoreOnce(item: ScoreItem, score: (failedRun: string | null) => Promise<Scored>): Promise<ScoreResult> {
    const key = keyOf(item);
    this.#forgetOld();
    const known = this.#known.get(key)?.result;
    if (known) {
      this.#remember(key, known);
      return known;
    }
    const earlier = this.#underWay.get(key);
    if (earlier) return earlier;
    const failed = this.#failed.get(key)?.runId ?? null;
    this.#failed.delete(key);
    const pending = this.#score(key, () => score(failed));
    this.#underWay.set(key, pending);
    try {
      return await pending;
    } finally {
      this.#underWay.delete(key);
    }
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
