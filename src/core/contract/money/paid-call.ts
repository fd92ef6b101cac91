/**
 * @file One call that may cost money, as a state machine. All paid calls use it: calls to workers, to the Conductor's model and
 * to a judge, and worker tests. So the cost of a call that ends early is defined in one place. This file is part of the contract,
 * because the worker test in `platform/` needs it and may import only the contract.
 *
 * | Status        | Reserved                      | On disk                                     | If it ends here               |
 * | ------------- | ----------------------------- | ------------------------------------------- | ----------------------------- |
 * | `planned`     | nothing                       | nothing, or the plan event that requests it | nothing to release            |
 * | `reserved`    | its maximum cost under the    | its announcement, once written:             | released, not counted as a    |
 * |               | run's caps, then in the daily | `step-started`, or the plan event           | call                          |
 * |               | ledger                        |                                             |                               |
 * | `waiting`     | as above, without the money   | `step-waiting` or `plan-waiting` with the   | as above                      |
 * |               | that it waits for             | reason                                      |                               |
 * | `leaving`     | as in `waiting`               | the same event with `for: null`, which is   | as above                      |
 * |               |                               | being written                               |                               |
 * | `handed-over` | its maximum cost under the    | its announcement                            | its reported cost counts, or  |
 * |               | caps and in the ledger        |                                             | its maximum cost if unknown   |
 * | `sent`        | as above                      | some of its text, or the record that it was | as above                      |
 * |               |                               | sent                                        |                               |
 * | `settled`     | nothing                       | the event that ends it                      | nothing more happens          |
 *
 * The usual order is `planned → reserved → handed-over → sent → settled`. If the call waits for money of the daily budget,
 * `waiting → leaving` comes between `reserved` and `handed-over`. If the client makes the call wait, for example for the
 * provider's limits, `waiting → leaving` comes after `handed-over`. A call can wait several times. Every status may change to
 * `settled`. A worker test belongs to no run, so no caps apply to it, and it writes no events.
 */
import type { Fault } from '../fault';
import type { Message } from '../model/message';
import type { Waiting } from '../worker/worker';
import { NOTHING_SPENT, UNKNOWN_ACCOUNT, worstCost, type Account, type Charged } from './account';
import { worstInput } from './estimate';
import { affordableOutput } from './output-limit';
import type { CallKey } from './spending';

export type PaidCallStatus = 'planned' | 'reserved' | 'waiting' | 'leaving' | 'handed-over' | 'sent' | 'settled';

/** The part of a run's caps that is reserved for a call. */
export interface Reservation {
  readonly tokens: number;
  readonly usd: number;
  /** The output limit that fits the run's caps, if it is lower than the call's own limit. */
  readonly outputLimit?: number;
}

/**
 * - `reserved`: the call has room. `reservation: null`: the call needs no room
 * - `wait`: the call fits only if calls in progress turn out cheaper than reserved. Try again when one of them has settled
 * - `refused`: the call can never fit
 */
export type ReserveResult =
  | { readonly type: 'reserved'; readonly reservation: Reservation | null }
  | { readonly type: 'wait' }
  | { readonly type: 'refused'; readonly fault: Fault };

/** A run's caps, as seen by one call. */
export interface CallCaps {
  reserve(): ReserveResult;
  /** @param isCall `false` if the call was never sent or hit a rate limit, so it does not count towards the cap on calls */
  settle(reservation: Reservation | null, account: Account, isCall: boolean): void;
}

/**
 * Records that a call waits, or that it is sent after waiting. In the second case the promise resolves once the record is on
 * disk, or writing it has failed.
 */
export type RecordWait = (waiting: Waiting) => Promise<void> | undefined;

/** A request to the daily ledger to reserve money for a call. */
export interface DayCall {
  readonly charged: Payee;
  /** Maximum cost in US dollars. `null`: the price is unknown. */
  readonly usd: number | null;
  /** Maximum cost with the lowest output limit, in US dollars. Absent: the call is sent with its own limit or not at all. */
  readonly leastUsd?: number | null;
  readonly key: CallKey | null;
}

/** Money in the daily ledger that is reserved for a call. */
export interface Hold {
  readonly id: string;
  /** US dollars reserved, if less than the maximum cost of the call. */
  readonly usd?: number;
}

/** `gone`: the call was aborted while it waited. */
export type HoldOutcome =
  | { readonly type: 'held'; readonly hold: Hold }
  | { readonly type: 'refused'; readonly fault: Fault }
  | { readonly type: 'gone' };

/** The daily ledger, as seen by one call. */
export interface CallDay {
  /**
   * Reserves money for a call, as soon as the daily budget allows it. Never rejects.
   * @param wait called when the call has to wait for other calls, and again if money is then reserved. The second
   * time, `wait` may return a promise, and `hold` resolves after it
   */
  hold(call: DayCall, signal: AbortSignal, wait: RecordWait): Promise<HoldOutcome>;
  /**
   * Replaces the reservation with the cost of the call. Never rejects.
   * @param account `null`: the call was never sent
   */
  settle(hold: Hold, account: Account | null): Promise<void>;
}

/** The recipient of the payment. */
export type Payee = Charged & { readonly id: string };

/** What the daily ledger needs to know about a call, to reserve and count its cost. */
export interface DayTerms {
  readonly ledger: CallDay;
  readonly charged: Payee;
  /** The messages sent. Their length bounds the input cost. */
  readonly messages: readonly Message[];
  /** Maximum tokens of the answer. */
  readonly maxTokens: number;
  /** The lowest output limit that may replace `maxTokens`. Absent: `maxTokens` is never lowered. */
  readonly least?: number;
  /** Identifies the call within its run. `null`: the call belongs to no run. */
  readonly key: CallKey | null;
}

export interface PaidCallTerms {
  /** The caps of the run. `null`: no caps apply. */
  readonly caps: CallCaps | null;
  /** The terms of the daily ledger. `null`: nothing is charged, or there is no ledger. */
  readonly day: DayTerms | null;
  readonly record: RecordWait;
}

/** `ready`: the call may be sent. `gone`: the call was aborted or settled while it waited. */
export type CallRoom =
  { readonly type: 'ready' } | { readonly type: 'refused'; readonly fault: Fault } | { readonly type: 'gone' };

export class PaidCall {
  readonly #terms: PaidCallTerms;
  #status: PaidCallStatus = 'planned';
  #reservation: Reservation | null = null;
  #hold: Hold | null = null;
  #outputLimit: number | null = null;

  constructor(terms: PaidCallTerms) {
    this.#terms = terms;
  }

  get status(): PaidCallStatus {
    return this.#status;
  }

  /** Whether the call is not settled yet. */
  get isOpen(): boolean {
    return this.#status !== 'settled';
  }

  /** Whether the call was sent, or may have been sent. If so, it may be charged. */
  get mayHaveLeft(): boolean {
    return this.#status === 'handed-over' || this.#status === 'sent';
  }

  /** The output limit that fits the budgets. `null`: the call's own limit fits. The value is final once `hold` has resolved. */
  get outputLimit(): number | null {
    return this.#outputLimit;
  }

  /**
   * Reserves the call's maximum cost under the run's caps. If the result is `wait`, the caller can try again
   * later.
   */
  reserve(): ReserveResult {
    const result = this.#terms.caps?.reserve() ?? NO_CAPS;
    if (result.type !== 'reserved') return result;
    this.#reservation = result.reservation;
    this.#outputLimit = result.reservation?.outputLimit ?? null;
    this.#status = 'reserved';
    return result;
  }

  /**
   * Reserves the call's maximum cost in the daily ledger. If the terms contain no ledger, the call is ready
   * at once. Never rejects. A refused call must still be settled.
   */
  hold(signal: AbortSignal): CallRoom | Promise<CallRoom> {
    const { day } = this.#terms;
    return day ? this.#holdMoney(day, signal) : READY;
  }

  /** Records that the client receives the call. From now on, the client may send the call at any moment. */
  handOver(): void {
    if (this.isOpen) this.#status = 'handed-over';
  }

  /**
   * Records the client's report that the call has not been sent yet, or is sent now. In the second case the promise resolves once
   * the record is on disk, or writing it has failed.
   * @returns whether to continue. `false`: the call was settled meanwhile
   */
  wait(waiting: Waiting): boolean | Promise<boolean> {
    const written = this.#record(waiting);
    if (waiting.for !== null) return this.isOpen;
    return written ? written.then(() => this.#leave()) : this.#leave();
  }

  /** Records that a part of the answer has arrived, so the call has been sent. */
  confirmSent(): void {
    if (this.isOpen) this.#status = 'sent';
  }

  /**
   * If the call may have been sent, records its account. If not, releases the reservation. No effect once
   * settled.
   * @param isCall whether the call counts towards the cap on calls. Ignored if the call was certainly never sent
   * @returns resolves once the change is in the daily ledger
   */
  settle(account: Account, isCall = true): Promise<void> | undefined {
    return this.mayHaveLeft ? this.#settle(account, account, isCall) : this.refund();
  }

  /** Settles a call that was certainly never sent. No effect once settled. */
  refund(): Promise<void> | undefined {
    return this.#settle(NOTHING_SPENT, null, false);
  }

  /**
   * Settles a call whose answer will not be read. If the call may have been charged, its maximum cost counts.
   * No effect once settled.
   */
  abandon(): Promise<void> | undefined {
    return this.settle(UNKNOWN_ACCOUNT);
  }

  async #holdMoney(terms: DayTerms, signal: AbortSignal): Promise<CallRoom> {
    const { ledger, charged, messages, key } = terms;
    const input = worstInput(messages);
    const maxTokens = this.#outputLimit ?? terms.maxTokens;
    const usd = worstCost(charged, input, maxTokens);
    const least = Math.min(terms.least ?? maxTokens, maxTokens);
    const leastUsd = worstCost(charged, input, least);
    const outcome = await ledger.hold({ charged, usd, leastUsd, key }, signal, (waiting) => this.#record(waiting));
    if (outcome.type !== 'held') return outcome;
    if (!this.isOpen) {
      void ledger.settle(outcome.hold, null);
      return RUN_ENDED;
    }
    this.#hold = outcome.hold;
    const held = outcome.hold.usd;
    if (held !== undefined)
      this.#outputLimit = affordableOutput(charged, input, { maxTokens, least }, { tokens: null, usd: held }) ?? least;
    return READY;
  }

  #record(waiting: Waiting): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    this.#status = waiting.for === null ? 'leaving' : 'waiting';
    return this.#terms.record(waiting);
  }

  /** @returns `false` if the call was settled during the write */
  #leave(): boolean {
    this.confirmSent();
    return this.isOpen;
  }

  #settle(account: Account, bill: Account | null, isCall: boolean): Promise<void> | undefined {
    const { caps, day } = this.#terms;
    const status = this.#status;
    this.#status = 'settled';
    if (status === 'planned' || status === 'settled') return undefined;
    caps?.settle(this.#reservation, account, isCall);
    return this.#hold && day ? day.ledger.settle(this.#hold, bill) : undefined;
  }
}

const NO_CAPS: ReserveResult = { type: 'reserved', reservation: null };
const READY: CallRoom = { type: 'ready' };
const RUN_ENDED: CallRoom = { type: 'gone' };
