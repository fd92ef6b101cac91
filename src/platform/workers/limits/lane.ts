/**
 * @file Tracks the limits of one lane, and decides whether they allow another call. A lane is a group of calls that share limits,
 * see `gate.ts`. The limits are learned from rate-limit errors, and from headers if the page can read them. A rate-limit error
 * halves the number of parallel calls and starts a pause. Later successes raise this number again in steps of one.
 */
import type { RateLimits } from '../../../core/contract';
import type { Budget, Budgets } from './read-limits';

/** The properties of a call that decide whether the limits allow it. */
export interface LaneCall {
  /** Maximum number of tokens of prompt and answer together. */
  readonly tokens: number;
  /** Limits that the user entered for the calls of this lane. A field is `null` if there is no such limit. */
  readonly limits: RateLimits;
  /** Maximum number of parallel calls. */
  readonly places: number;
}

/** The data of a rate-limit error. */
export interface RateLimitReport {
  /** The requested pause, ms. `null`: the provider did not report one. */
  readonly retryAfter: number | null;
  readonly learned: Partial<Pick<RateLimits, 'requestsPerMinute' | 'tokensPerMinute'>>;
  /** Whether the limit applies to all calls of the account. Absent: it does not. */
  readonly ofAccount?: boolean;
}

/** The limits that a lane has learned from rate-limit and overload errors and shares with other tabs. */
export interface LearnedLimits {
  /**
   * The time at which a tab learned these limits from a rate-limit or overload error, ms since the epoch. It
   * identifies the error.
   */
  readonly at: number;
  /** ms since the epoch. */
  readonly pausedUntil: number;
  /** Maximum number of parallel calls at present. */
  readonly width: number;
  /** Highest number of parallel calls that is expected to work. `null`: unknown. */
  readonly ceiling: number | null;
  readonly limits: RateLimitReport['learned'];
}

/**
 * Whether a call may be sent. If not, `until` is the time to check again, ms since the epoch, or `null` if another call must
 * end first.
 */
export type Verdict = { readonly may: true } | { readonly may: false; readonly until: number | null };

/** One call that was sent. */
export interface Departure {
  readonly at: number;
  tokens: number;
}

/** Maximum number of parallel calls before anything is learned. */
const FIRST_WIDTH = 5;
/**
 * After a rate-limit error, the number of parallel calls stays below the number that caused the error. After
 * `PROBE_AFTER` successful calls, the number that caused the error is tried again.
 */
const PROBE_AFTER = 30;
/** A minute with a margin, ms. Two calls that are sent a minute apart may reach the provider within less than a minute. */
const MINUTE = 60_500;
/**
 * The shortest and the longest pause if the provider requests none, ms. In a series of rate-limit errors, each
 * pause is twice as long as the pause before it. A success ends the series. The first pause of the next series has
 * half the total length of the ended series, because a provider that needed a minute is unlikely to recover in a
 * second.
 */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/**
 * The longest pause after an overload, ms. It is shorter, because a server that has loaded its model is free at once. Eleven
 * pauses, as many as there are retries (`core/contract/worker/retry.ts`), last 85 seconds.
 */
const LONGEST_OVERLOAD_PAUSE = 10_000;
/**
 * Longest time that calls wait for a limit to reset, ms. If the reset takes longer, the call is sent, so that the provider
 * rejects it and explains why.
 */
const LONGEST_BUDGET = 300_000;

export class Lane {
  #width: number;
  /** Highest number of parallel calls that is expected to work. Infinite until a rate-limit error with several parallel calls. */
  #ceiling = Number.POSITIVE_INFINITY;
  #successes = 0;
  #underWay = 0;
  #pausedUntil = 0;
  /** When the latest pause began, in this or another tab. */
  #pausedAt = Number.NEGATIVE_INFINITY;
  /** The next pause if the provider requests none, and the total of the pauses since the last success, ms. */
  #nextPause = SHORTEST_PAUSE;
  #paused = 0;
  /** Number of overloads since the last success. */
  #overloads = 0;
  #departures: Departure[] = [];
  #learnedLimits: RateLimitReport['learned'] = {};
  #budgets: Budgets = { requests: null, tokens: null };

  constructor(width = FIRST_WIDTH) {
    this.#width = width;
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Learned maximum number of parallel calls. */
  get width(): number {
    return this.#width;
  }

  /** Number of sent calls that are remembered. */
  get departures(): number {
    return this.#departures.length;
  }

  verdict(call: LaneCall, now: number): Verdict {
    const { limits } = call;
    this.#forgetOld(now);
    const until = Math.max(
      this.#pausedUntil,
      this.#requestsFree(leastOf(limits.requestsPerMinute, this.#learnedLimits.requestsPerMinute), now),
      this.#tokensFree(leastOf(limits.tokensPerMinute, this.#learnedLimits.tokensPerMinute), call.tokens, now),
      freeAgain(this.#budgets.requests, 1, now),
      // If no call is running, a call is sent even if it needs more than the remaining tokens. Waiting may not help, because the
      // call may need more than the whole limit.
      this.#underWay === 0 ? 0 : freeAgain(this.#budgets.tokens, call.tokens, now),
    );
    if (until > now) return { may: false, until };
    const most = Math.min(call.places, this.#most(limits.concurrent));
    return this.#underWay >= most ? { may: false, until: null } : { may: true };
  }

  /**
   * Maximum number of parallel calls: the user's limit, or the learned number if the user set no limit. After
   * a rate-limit error with parallel calls, the lower of the two numbers.
   */
  #most(declared: number | null): number {
    if (declared === null) return this.#width;
    return this.#ceiling === Number.POSITIVE_INFINITY ? declared : Math.min(declared, this.#width);
  }

  leave(call: LaneCall, now: number): Departure {
    const departure = { at: now, tokens: call.tokens };
    this.#underWay += 1;
    this.#departures.push(departure);
    const { requests, tokens } = this.#budgets;
    this.#budgets = { requests: spend(requests, 1), tokens: spend(tokens, call.tokens) };
    return departure;
  }

  /** @param tokens used tokens, or `null` to keep the estimate */
  end(departure: Departure, tokens: number | null): void {
    this.#underWay -= 1;
    if (tokens !== null) departure.tokens = tokens;
  }

  /**
   * Applies the remaining budgets from the reply to a call. Subtracts the calls that were sent after this call, because the
   * reply may not count them.
   */
  applyBudgets(departure: Departure, reported: Budgets): void {
    const later = this.#departures.slice(this.#departures.indexOf(departure) + 1);
    const tokens = later.reduce((sum, each) => sum + each.tokens, 0);
    this.#budgets = {
      requests: spend(reported.requests, later.length) ?? this.#budgets.requests,
      tokens: spend(reported.tokens, tokens) ?? this.#budgets.tokens,
    };
  }

  accept(call: LaneCall): void {
    if (this.#paused > 0) this.#nextPause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, this.#paused / 2));
    this.#paused = 0;
    this.#overloads = 0;
    // Success with fewer parallel calls than `#width` does not show that more are possible.
    if (this.#underWay < this.#width) return;
    this.#successes += 1;
    if (this.#successes < (this.#width < this.#ceiling ? this.#width : PROBE_AFTER)) return;
    this.#successes = 0;
    this.#width = Math.min(call.places, this.#width + 1);
    if (this.#width > this.#ceiling) this.#ceiling = this.#width;
  }

  /**
   * Records a rate-limit error. If the call was sent before the last pause began, the error doesn't reduce the number of parallel
   * calls again. It can only add a learned limit and lengthen the pause.
   */
  refuse(departure: Departure, { retryAfter, learned }: RateLimitReport, now: number): void {
    this.#learnedLimits = { ...this.#learnedLimits, ...learned };
    if (departure.at > this.#pausedAt) {
      this.#successes = 0;
      if (this.#underWay > 1) this.#ceiling = Math.max(1, this.#underWay - 1);
      this.#width = Math.max(1, Math.floor(Math.min(this.#width, this.#underWay) / 2));
      this.#pausedAt = now;
      this.#pause(retryAfter ?? this.#growingPause(), now);
    } else if (retryAfter !== null) this.#pause(retryAfter, now);
  }

  /**
   * Records that the provider is overloaded or loads the model. Halves the number of parallel calls, and pauses. In a series of
   * overloads, each pause is twice as long as the pause before it, and at least as long as the provider requests.
   */
  overload(departure: Departure, retryAfter: number | null, now: number): void {
    if (departure.at <= this.#pausedAt) return;
    this.#pausedAt = now;
    this.#successes = 0;
    this.#width = Math.max(1, Math.floor(Math.min(this.#width, this.#underWay) / 2));
    const pause = Math.min(LONGEST_OVERLOAD_PAUSE, SHORTEST_PAUSE * 2 ** this.#overloads);
    this.#overloads += 1;
    this.#pause(Math.max(retryAfter ?? 0, pause), now);
  }

  /** The limits that this lane has learned, for other tabs. `null` if nothing was learned yet. */
  get learned(): LearnedLimits | null {
    if (this.#pausedAt === Number.NEGATIVE_INFINITY) return null;
    const ceiling = Number.isFinite(this.#ceiling) ? this.#ceiling : null;
    return {
      at: this.#pausedAt,
      pausedUntil: this.#pausedUntil,
      width: this.#width,
      ceiling,
      limits: this.#learnedLimits,
    };
  }

  /**
   * Applies the limits that another tab learned from an error. Ignores limits that are older than the latest
   * pause. The same error reduces the number of parallel calls only once, even if its limits arrive twice.
   */
  applyLearnedLimits({ at, pausedUntil, width, ceiling, limits }: LearnedLimits, now: number): void {
    if (at < this.#pausedAt) return;
    this.#learnedLimits = { ...this.#learnedLimits, ...limits };
    this.#pause(pausedUntil - now, now);
    if (at === this.#pausedAt) return;
    this.#pausedAt = at;
    this.#width = Math.min(this.#width, width);
    if (ceiling !== null) this.#ceiling = Math.min(this.#ceiling, ceiling);
    this.#successes = 0;
  }

  /** Counts a call of another tab. */
  note({ at, tokens }: Departure, now: number): void {
    // A tab that makes no calls would otherwise keep the calls of other tabs forever.
    this.#forgetOld(now);
    this.#departures = [...this.#departures, { at, tokens }].toSorted((one, other) => one.at - other.at);
    const { requests, tokens: budget } = this.#budgets;
    this.#budgets = { requests: spend(requests, 1), tokens: spend(budget, tokens) };
  }

  #forgetOld(now: number): void {
    this.#departures = this.#departures.filter(({ at }) => at + MINUTE > now);
  }

  #growingPause(): number {
    const pause = this.#nextPause;
    this.#nextPause = Math.min(LONGEST_PAUSE, 2 * pause);
    this.#paused += pause;
    return pause;
  }

  /** Starts a pause. Ignores pauses longer than `LONGEST_BUDGET`, so that waiting calls are sent and get the provider's error. */
  #pause(ms: number, now: number): void {
    if (ms <= LONGEST_BUDGET) this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }

  #requestsFree(most: number | null, now: number): number {
    const oldest = most === null ? undefined : this.#departures.at(-most);
    return oldest && this.#departures.length >= (most ?? 0) ? oldest.at + MINUTE : now;
  }

  /**
   * When `wanted` tokens are available, ms since the epoch. A call that needs more than the whole limit waits until no other call
   * counts towards the limit.
   */
  #tokensFree(most: number | null, wanted: number, now: number): number {
    if (most === null) return now;
    let used = this.#departures.reduce((sum, { tokens }) => sum + tokens, 0);
    let free = now;
    for (const { at, tokens } of this.#departures) {
      if (used === 0 || used + wanted <= most) break;
      used -= tokens;
      free = at + MINUTE;
    }
    return free;
  }
}

function leastOf(one: number | null, other: number | null | undefined): number | null {
  if (one === null) return other ?? null;
  return Math.min(one, other ?? one);
}

function spend(budget: Budget | null, amount: number): Budget | null {
  return budget && { ...budget, left: budget.left - amount };
}

/** When a budget allows a call that needs `wanted` requests or tokens: now, or when the budget resets. */
function freeAgain(budget: Budget | null, wanted: number, now: number): number {
  if (!budget || budget.left >= wanted || budget.resetAt - now > LONGEST_BUDGET) return now;
  return budget.resetAt;
}
