/**
 * @file A run's side of the ledger of the day: sets money aside for a call, waits where only calls under way stand against
 * it, and settles what the call came to.
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
  type PaidBill,
  type RecordWait,
  type Spending,
} from '../contract';

type CapReached = Extract<EventBody, { type: 'cap-reached' }>;

/** ms between two looks while calls under way stand against one; those of other tabs tell nobody when they end. */
const LOOK_AGAIN = 1000;
/** ms after which it is not waited for any longer: a tab that set money aside may be gone for good. */
const LONGEST_WAIT = 600_000;

export interface DayBudgetOptions {
  readonly runId: string;
  /** Absent: nobody counts. */
  readonly spending: Spending | undefined;
  readonly clock: Clock;
  /** Told once, when the cap of the day first refuses a call. */
  readonly reached: (event: CapReached) => void;
}

export class DayBudget implements CallDay {
  readonly #options: DayBudgetOptions;
  #exhausted = false;
  #settled = new AbortController();
  /** What calls came to that is not booked yet, and what is being written to the ledger. */
  readonly #bills = new Map<string, PaidBill | null>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: DayBudgetOptions) {
    this.#options = options;
  }

  /** Whether the cap of the day has refused a call. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Whether a call to them is any of the ledger's business. */
  counts(charged: Charged): boolean {
    return this.#options.spending !== undefined && !isFree(charged);
  }

  /**
   * Sets the worst case of a call aside. Never rejects.
   * @param wait called when it has to wait for calls under way, and when it no longer does: the call leaves once that is recorded
   */
  hold(call: DayCall, signal: AbortSignal, wait: RecordWait): Promise<HoldOutcome> {
    return this.#track(this.#hold(call, signal, wait));
  }

  async #hold({ charged, usd, key }: DayCall, signal: AbortSignal, wait: RecordWait): Promise<HoldOutcome> {
    const { spending, runId, clock } = this.#options;
    const call = { runId, workerId: charged.id, name: charged.name, usd, ...(key ? { call: key } : {}) };
    const began = clock.monotonic();
    let hasWaited = false;
    try {
      for (;;) {
        const result = await spending?.hold(call);
        if (hasWaited && !signal.aborted && (!result || result.type === 'held')) await wait({ for: null, delay: null });
        if (signal.aborted) {
          if (result?.type === 'held') await this.settle(result, null);
          return { type: 'gone' };
        }
        if (!result || result.type === 'held') return { type: 'held', hold: { id: result?.id ?? '' } };
        if (result.type === 'refused') return this.#refuse(result);
        if (clock.monotonic() - began >= LONGEST_WAIT) return { type: 'refused', fault: WAITED_LONG };
        if (!hasWaited) void wait({ for: 'money', delay: null });
        hasWaited = true;
        await this.#nextLook(signal);
      }
    } catch (thrown) {
      return signal.aborted ? { type: 'gone' } : { type: 'refused', fault: toFault(thrown) };
    }
  }

  /**
   * Books what a call came to. Never rejects: what cannot be stored is tried again once the run is over, and until then the
   * money stays set aside, which errs on the safe side.
   * @param account `null`: the call never left
   */
  async settle({ id }: Hold, account: Account | null): Promise<void> {
    const bill = account && billOf(account);
    this.#bills.set(id, bill);
    await this.#track(this.#book(id, bill));
    this.#settled.abort();
    this.#settled = new AbortController();
  }

  /** Waits until the ledger knows of all that was held and spent, and tries once more what it could not take. Never rejects. */
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
      // It is kept for later.
    }
  }

  #refuse({ fault, limit, wanted }: { fault: Fault; limit: number; wanted: number }): HoldOutcome {
    if (!this.#exhausted && fault.code === 'cap-reached') {
      this.#options.reached({ type: 'cap-reached', cap: 'usd', limit, wanted, day: true });
    }
    this.#exhausted = true;
    return { type: 'refused', fault };
  }

  /** Until a call of this run has settled, or a moment has passed. */
  async #nextLook(signal: AbortSignal): Promise<void> {
    const wake = AbortSignal.any([signal, this.#settled.signal]);
    try {
      await this.#options.clock.sleep(LOOK_AGAIN, wake);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
    }
  }
}

const WAITED_LONG: Fault = {
  code: 'cap-reached',
  message:
    'Money is set aside for calls that do not end, so this one does not fit into the limit of the day. Close other tabs, reload the page and go on.',
  retryable: true,
};
