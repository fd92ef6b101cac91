/**
 * @file Room for what the Conductor asks its model: the worst case of its next answer is set aside under the caps of the run
 * and of the day before it leaves, and settled with what it came to.
 */
import {
  NOTHING_SPENT,
  worstCost,
  worstInput,
  type Account,
  type CallKey,
  type Charged,
  type Fault,
  type Message,
  type Sampling,
  type Waiting,
} from '../contract';
import type { Reservation } from './caps';
import type { RunContext } from './context';
import type { Hold } from './day-budget';

/** What a model is asked for the plan. */
export interface Asked {
  readonly conductor: Charged & { readonly id: string };
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
}

/** `gone`: the plan is not wanted any more. */
export type PlanRoom =
  { readonly type: 'room' } | { readonly type: 'refused'; readonly fault: Fault } | { readonly type: 'gone' };

export interface PlanBudgetOptions {
  readonly context: Pick<RunContext, 'caps' | 'day'>;
  /** Aborted when the plan is not wanted any more. */
  readonly signal: AbortSignal;
  readonly isWanted: () => boolean;
  /** Told when the call has to wait for money, and when it leaves after that: not before that is taken. */
  readonly waits: (waiting: Waiting) => void | Promise<void>;
}

export class PlanBudget {
  readonly #options: PlanBudgetOptions;
  #asked: Asked | null = null;
  #reservation: Reservation | null = null;
  #hold: Hold | null = null;

  constructor(options: PlanBudgetOptions) {
    this.#options = options;
  }

  /** What is asked from now on. */
  ask(asked: Asked): void {
    this.#asked = asked;
  }

  /** What is said behind the prompt from now on. */
  correct(messages: readonly Message[]): void {
    if (this.#asked) this.#asked = { ...this.#asked, messages: [...this.#asked.messages, ...messages] };
  }

  /** Sets aside what the next answer may come to. A Conductor that asks no model needs no room. Never rejects. */
  setAside(key: CallKey): PlanRoom | Promise<PlanRoom> {
    if (!this.#asked) return ROOM;
    const { conductor, messages, sampling } = this.#asked;
    const { caps, day } = this.#options.context;
    const result = caps.reservePlan(conductor, messages, sampling);
    if (result.type === 'refused') return result;
    this.#reservation = result.reservation;
    return !day.counts(conductor) ? ROOM : this.#holdMoney(this.#asked, key);
  }

  /** Books what was asked for but never left: nothing. */
  giveBack(): void {
    if (this.#reservation || this.#hold) this.#settle(NOTHING_SPENT, null);
  }

  /** Books what may have been charged, nobody knows how much: all that was set aside. */
  lose(): void {
    if (this.#reservation || this.#hold) this.book(UNKNOWN);
  }

  /** Books what an answer came to; with nothing set aside it is only added to what was spent. */
  book(account: Account): void {
    this.#settle(account, account);
  }

  #settle(account: Account, bill: Account | null): void {
    const { caps, day } = this.#options.context;
    if (this.#reservation) caps.settle(this.#reservation, account);
    else caps.book(account);
    if (this.#hold) void day.settle(this.#hold, bill);
    this.#reservation = null;
    this.#hold = null;
  }

  async #holdMoney({ conductor, messages, sampling }: Asked, key: CallKey): Promise<PlanRoom> {
    const { context, signal, isWanted, waits } = this.#options;
    const usd = worstCost(conductor, worstInput(messages), sampling.maxTokens);
    const outcome = await context.day.hold({ charged: conductor, usd, key }, signal, waits);
    if (outcome.type === 'held') this.#hold = outcome.hold;
    if (outcome.type === 'held' && isWanted()) return ROOM;
    this.giveBack();
    return outcome.type === 'refused' && isWanted() ? outcome : { type: 'gone' };
  }
}

const UNKNOWN: Account = { usage: null, cost: null };
const ROOM: PlanRoom = { type: 'room' };
