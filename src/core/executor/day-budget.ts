/**
 * @file Keeps a run under the daily budget. Reserves money for each call in a ledger that all tabs share, and
 * books the actual cost afterwards. A call waits if the rest of the budget is too small, but would be enough
 * without the reservations of other calls.
 */
import {
  billOf,
  isFree,
  toFault,
  type Account,
  type CallDay,
  type Charged,
  type Clock,
  type DayCall,
  type EventBody,
  type Fault,
  type Hold,
  type HoldOutcome,
  type HoldRequest,
  type HoldResult,
  type PaidBill,
  type RecordWait,
  type Spending,
} from '../contract';

type CapReached = Extract<EventBody, { type: 'cap-reached' }>;

/**
 * Pause between two attempts to reserve, ms. Attempts are repeated, because a tab isn't notified when a call of another tab
 * ends.
 */
const RETRY_INTERVAL = 1000;
/** Longest wait for other calls, ms. The wait is limited, because the tab that made such a call may have been closed. */
const LONGEST_WAIT = 600_000;

export interface DayBudgetOptions {
  readonly runId: string;
  /** The daily ledger. `undefined`: there is no ledger, so no daily budget is enforced. */
  readonly spending: Spending | undefined;
  readonly clock: Clock;
  /** Called once, when a call is first refused because too little of the daily budget is left. */
  readonly reached: (event: CapReached) => void;
}

export class DayBudget implements CallDay {
  readonly #options: DayBudgetOptions;
  #exhausted = false;
  #settled = new AbortController();
  /** Bills that are not booked yet, by the id of their reservation. `null`: the call was never sent. */
  readonly #bills = new Map<string, PaidBill | null>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: DayBudgetOptions) {
    this.#options = options;
  }

  /**
   * Whether a call was refused because too little of the daily budget is left. Refusals because of an unknown price don't
   * count.
   */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Whether calls to this worker or Conductor are counted in the ledger. */
  counts(charged: Charged): boolean {
    return this.#options.spending !== undefined && !isFree(charged);
  }

  /**
   * Reserves money for a call, if possible for its worst case. Never rejects.
   * @param wait called when the call starts to wait for other calls, and again when money is reserved after
   * the wait. `hold` resolves only after the promise from the second call of `wait` has resolved
   */
  hold(call: DayCall, signal: AbortSignal, wait: RecordWait): Promise<HoldOutcome> {
    return this.#track(this.#hold(call, signal, wait));
  }

  async #hold(
    { charged, usd, leastUsd = usd, key }: DayCall,
    signal: AbortSignal,
    wait: RecordWait,
  ): Promise<HoldOutcome> {
    const { runId, clock } = this.#options;
    const call = { runId, workerId: charged.id, name: charged.name, usd, ...(key ? { call: key } : {}) };
    const began = clock.monotonic();
    let hasWaited = false;
    try {
      for (;;) {
        const result = await this.#holdMost(call, leastUsd);
        if (hasWaited && !signal.aborted && (!result || result.type === 'held')) await wait({ for: null, delay: null });
        if (signal.aborted) {
          if (result?.type === 'held') await this.settle(result, null);
          return { type: 'gone' };
        }
        if (!result || result.type === 'held') return { type: 'held', hold: result ?? { id: '' } };
        if (result.type === 'refused') return this.#refuse(result);
        if (clock.monotonic() - began >= LONGEST_WAIT) return { type: 'refused', fault: WAITED_LONG };
        if (!hasWaited) void wait({ for: 'money', delay: null });
        hasWaited = true;
        await this.#pauseBeforeRetry(signal);
      }
    } catch (thrown) {
      return signal.aborted ? { type: 'gone' } : { type: 'refused', fault: toFault(thrown) };
    }
  }

  /**
   * Reserves the worst case. If the daily budget has too little left for the worst case, but enough for a
   * shorter answer, reserves all that is left.
   */
  async #holdMost(
    call: HoldRequest,
    leastUsd: number | null,
  ): Promise<(HoldResult & { readonly usd?: number }) | undefined> {
    const { spending } = this.#options;
    const result = await spending?.hold(call);
    const { usd } = call;
    if (result?.type !== 'refused' || result.fault.code !== 'cap-reached' || usd === null || leastUsd === null)
      return result;
    const left = result.limit - (result.wanted - usd);
    if (left >= usd || left < leastUsd) return result;
    const less = await spending?.hold({ ...call, usd: left });
    return less?.type === 'held' ? { ...less, usd: left } : less;
  }

  /**
   * Books the cost of a call. Never rejects. If the cost can't be stored, `close` tries again at the end of the run. Until then
   * the money stays reserved, so the budget is not exceeded.
   * @param account `null`: the call was never sent
   */
  async settle({ id }: Hold, account: Account | null): Promise<void> {
    const bill = account && billOf(account);
    this.#bills.set(id, bill);
    await this.#track(this.#book(id, bill));
    this.#settled.abort();
    this.#settled = new AbortController();
  }

  /** Waits until all work on the ledger has ended, and then retries failed bookings once. Never rejects. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await Promise.all([...this.#bills].map(([id, bill]) => this.#book(id, bill)));
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  async #book(id: string, bill: PaidBill | null): Promise<void> {
    try {
      await this.#options.spending?.settle(id, bill);
      this.#bills.delete(id);
    } catch {
      // `close` tries again.
    }
  }

  #refuse({ fault, limit, wanted }: { fault: Fault; limit: number; wanted: number }): HoldOutcome {
    if (!this.#exhausted && fault.code === 'cap-reached') {
      this.#exhausted = true;
      this.#options.reached({ type: 'cap-reached', cap: 'usd', limit, wanted, day: true });
    }
    return { type: 'refused', fault };
  }

  /** Waits until a call of this run has settled, or `RETRY_INTERVAL` has passed. */
  async #pauseBeforeRetry(signal: AbortSignal): Promise<void> {
    const wake = AbortSignal.any([signal, this.#settled.signal]);
    try {
      await this.#options.clock.sleep(RETRY_INTERVAL, wake);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
    }
  }
}

const WAITED_LONG: Fault = {
  code: 'cap-reached',
  message:
    'Other calls have reserved the rest of the daily budget, and they have not ended. Close other tabs, reload the page and resume the run.',
  retryable: true,
};
