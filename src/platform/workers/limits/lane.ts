/**
 * @file What is known of the limits behind one key at one provider, and whether another call may leave under them. Learnt
 * from headers where a page may read them, from refusals where not: a refusal halves how many calls may be under way and
 * calls a pause for all of them; success lets more leave again, one by one. Pure but for what it remembers.
 */
import type { RateLimits } from '../../../core/contract';
import type { Budget, Budgets } from './read-limits';

/** A call as far as limits are concerned. */
export interface LaneCall {
  /** What it may come to, prompt and answer together. */
  readonly tokens: number;
  /** What the user says of the limits. */
  readonly limits: RateLimits;
  /** Calls that may be under way at once at most. */
  readonly places: number;
}

/** How a call was turned away for coming too soon. */
export interface TurnedAway {
  /** ms, where it was told. */
  readonly retryAfter: number | null;
  readonly learnt: Partial<Pick<RateLimits, 'requestsPerMinute' | 'tokensPerMinute'>>;
}

/** What a refusal has taught, so far as it holds for other tabs too. */
export interface Lesson {
  /** When it was learnt, by whichever tab, ms since the epoch. Told again it is the same lesson. */
  readonly at: number;
  /** ms since the epoch. */
  readonly pausedUntil: number;
  readonly width: number;
  /** The most calls at once that went well; `null`: nothing is known. */
  readonly ceiling: number | null;
  readonly limits: TurnedAway['learnt'];
}

/** Whether a call may leave; else when to look again, ms since the epoch, or `null` where another call must end first. */
export type Verdict = { readonly may: true } | { readonly may: false; readonly until: number | null };

/** One call that has left. */
export interface Departure {
  readonly at: number;
  tokens: number;
}

/** How many calls may be under way before anything is learnt. */
const FIRST_WIDTH = 5;
/** Calls that must go well before one more is tried than was once refused. */
const PROBE_AFTER = 30;
/** A minute as we count it: what leaves a minute apart may arrive closer together. */
const MINUTE = 60_500;
/**
 * The shortest pause where none is told, and the longest, ms. It doubles with each refusal in a row, and the next row begins
 * with half of what was needed in the last one: whoever needs a minute is not asked again after every second.
 */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/** ms; a budget that is full again only after longer than this is one of a day. A refusal then says so. */
const LONGEST_BUDGET = 300_000;

export class Lane {
  #width = FIRST_WIDTH;
  /** The most that went well before a refusal. */
  #ceiling = Number.POSITIVE_INFINITY;
  #wentWell = 0;
  #underWay = 0;
  #pausedUntil = 0;
  /** When the newest pause was called, here or in another tab. */
  #pausedAt = Number.NEGATIVE_INFINITY;
  /** How long the next pause will be where none is told, and what pauses in a row came to so far, ms. */
  #nextPause = SHORTEST_PAUSE;
  #paused = 0;
  #departures: Departure[] = [];
  #learnt: TurnedAway['learnt'] = {};
  #budgets: Budgets = { requests: null, tokens: null };

  /** How many calls may be under way now, as far as was learnt. */
  get width(): number {
    return this.#width;
  }

  /** How many departures are remembered. */
  get departures(): number {
    return this.#departures.length;
  }

  verdict(call: LaneCall, now: number): Verdict {
    const { limits } = call;
    this.#forgetOld(now);
    const until = Math.max(
      this.#pausedUntil,
      this.#requestsFree(leastOf(limits.requestsPerMinute, this.#learnt.requestsPerMinute), now),
      this.#tokensFree(leastOf(limits.tokensPerMinute, this.#learnt.tokensPerMinute), call.tokens, now),
      freeAgain(this.#budgets.requests, 1, now),
      // With nothing under way a call that is larger than what is left may be larger than the whole: let it be judged there.
      this.#underWay === 0 ? 0 : freeAgain(this.#budgets.tokens, call.tokens, now),
    );
    if (until > now) return { may: false, until };
    const most = Math.min(call.places, this.#most(limits.concurrent));
    return this.#underWay >= most ? { may: false, until: null } : { may: true };
  }

  /** What the user says counts from the first call on; what is learnt from a refusal counts more. */
  #most(said: number | null): number {
    if (said === null) return this.#width;
    return this.#ceiling === Number.POSITIVE_INFINITY ? said : Math.min(said, this.#width);
  }

  leave(call: LaneCall, now: number): Departure {
    const departure = { at: now, tokens: call.tokens };
    this.#underWay += 1;
    this.#departures.push(departure);
    const { requests, tokens } = this.#budgets;
    this.#budgets = { requests: spend(requests, 1), tokens: spend(tokens, call.tokens) };
    return departure;
  }

  /** @param tokens what it came to; `null`: what was expected stands */
  end(departure: Departure, tokens: number | null): void {
    this.#underWay -= 1;
    if (tokens !== null) departure.tokens = tokens;
  }

  /** What an answer told is left. Calls that left after this one may not be counted in it yet. */
  hear(departure: Departure, told: Budgets): void {
    const later = this.#departures.slice(this.#departures.indexOf(departure) + 1);
    const tokens = later.reduce((sum, each) => sum + each.tokens, 0);
    this.#budgets = {
      requests: spend(told.requests, later.length) ?? this.#budgets.requests,
      tokens: spend(told.tokens, tokens) ?? this.#budgets.tokens,
    };
  }

  /** The call was let in. */
  accept(call: LaneCall): void {
    if (this.#paused > 0) this.#nextPause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, this.#paused / 2));
    this.#paused = 0;
    // Who never needed all the places learns nothing about more of them.
    if (this.#underWay < this.#width) return;
    this.#wentWell += 1;
    if (this.#wentWell < (this.#width < this.#ceiling ? this.#width : PROBE_AFTER)) return;
    this.#wentWell = 0;
    this.#width = Math.min(call.places, this.#width + 1);
    if (this.#width > this.#ceiling) this.#ceiling = this.#width;
  }

  /** The call was turned away. Calls that had left before the last pause was called tell nothing new but a longer pause. */
  refuse(departure: Departure, { retryAfter, learnt }: TurnedAway, now: number): void {
    this.#learnt = { ...this.#learnt, ...learnt };
    if (departure.at > this.#pausedAt) {
      this.#wentWell = 0;
      if (this.#underWay > 1) this.#ceiling = Math.max(1, this.#underWay - 1);
      this.#width = Math.max(1, Math.floor(Math.min(this.#width, this.#underWay) / 2));
      this.#pausedAt = now;
      this.#pause(retryAfter ?? this.#growingPause(), now);
    } else if (retryAfter !== null) this.#pause(retryAfter, now);
  }

  /** The other side has too much to do, whoever asks: fewer at once, and a pause only where one is asked for. */
  overload(departure: Departure, retryAfter: number | null, now: number): void {
    if (departure.at <= this.#pausedAt) return;
    this.#pausedAt = now;
    this.#wentWell = 0;
    this.#width = Math.max(1, Math.floor(Math.min(this.#width, this.#underWay) / 2));
    this.#pause(retryAfter ?? 0, now);
  }

  /** What this lane knows that another tab does not; `null` while it has never been turned away. */
  get lesson(): Lesson | null {
    if (this.#pausedAt === Number.NEGATIVE_INFINITY) return null;
    const ceiling = Number.isFinite(this.#ceiling) ? this.#ceiling : null;
    return { at: this.#pausedAt, pausedUntil: this.#pausedUntil, width: this.#width, ceiling, limits: this.#learnt };
  }

  /**
   * Takes over what a call of another tab met: its own calls need not meet it too. What is older than what is known here is
   * passed over; the newest told once more may name a limit or a longer pause, and undoes nothing that went well since.
   */
  take({ at, pausedUntil, width, ceiling, limits }: Lesson, now: number): void {
    if (at < this.#pausedAt) return;
    this.#learnt = { ...this.#learnt, ...limits };
    this.#pause(pausedUntil - now, now);
    if (at === this.#pausedAt) return;
    this.#pausedAt = at;
    this.#width = Math.min(this.#width, width);
    if (ceiling !== null) this.#ceiling = Math.min(this.#ceiling, ceiling);
    this.#wentWell = 0;
  }

  /** Counts a call that left from another tab. */
  note({ at, tokens }: Departure, now: number): void {
    // A tab that makes no calls of its own would keep them all.
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

  /** A pause as long as this is for a person to decide: the calls that wait find out by themselves. */
  #pause(ms: number, now: number): void {
    if (ms <= LONGEST_BUDGET) this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }

  #requestsFree(most: number | null, now: number): number {
    const oldest = most === null ? undefined : this.#departures.at(-most);
    return oldest && this.#departures.length >= (most ?? 0) ? oldest.at + MINUTE : now;
  }

  /** When so many tokens are free. A call that is larger than the whole limit waits until nothing else counts. */
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

/** When a budget has room for so much: at once, or once it is full again. */
function freeAgain(budget: Budget | null, wanted: number, now: number): number {
  if (!budget || budget.left >= wanted || budget.resetAt - now > LONGEST_BUDGET) return now;
  return budget.resetAt;
}
