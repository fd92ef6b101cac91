/**
 * @file The spending ledger, which records the cost per day across all tabs and enforces the daily cap. The ledger reserves the
 * maximum cost of a call before the call is sent, and records the actual cost afterwards. So concurrent calls can't exceed the
 * cap together.
 */
import { priceUnknown, type Account } from './account';
import { fault, type Fault } from '../fault';
import { isMoney, money, MOST_USD } from './money';

/** Identifies a call for a step or a plan within its run. Only reservations for such calls store this key. */
export interface CallKey {
  readonly round: number;
  /** Index of the step. `null`: the call to the Conductor's model for the round's plan. */
  readonly step: number | null;
  /** For a step, the `attempt` of its `StepKey`. For a plan, the number of earlier answers to the plan's prompt. */
  readonly attempt: number;
}

/** A call that may cost money, before it is sent. */
export interface HoldRequest {
  readonly runId: string;
  readonly workerId: string;
  readonly name: string;
  /** Maximum cost in US dollars. `null`: the price is unknown. */
  readonly usd: number | null;
  /** Identifies the call within the run. Absent in reservations that older versions made. */
  readonly call?: CallKey;
}

/** The actual cost of a call. */
export interface PaidBill {
  /** US dollars. `null`: unknown, so the reserved amount counts. */
  readonly usd: number | null;
  /** Whether the provider reported the amount. */
  readonly billed: boolean;
  readonly tokens: number;
}

export function billOf({ usage, cost, billed = false }: Account): PaidBill {
  return { usd: cost, billed, tokens: usage ? usage.input + usage.output : 0 };
}

/**
 * - `held`: the call may be sent. Pass `id` to `settle` afterwards
 * - `wait`: the call fits only if calls in progress, in any tab, cost less than reserved. Try again later
 * - `refused`: the call can't fit today, or its price is unknown
 */
export type HoldResult =
  | { readonly type: 'held'; readonly id: string }
  | { readonly type: 'wait' }
  | { readonly type: 'refused'; readonly fault: Fault; readonly limit: number; readonly wanted: number };

/** A sum of money, with the calls and tokens it paid for. */
export interface SpentSum {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  /** The part of `usd` reported by providers. */
  readonly billed: number;
  /** Number of calls with unknown cost. Their reserved amounts are part of `usd`. */
  readonly unpriced: number;
}

export const NOTHING_SPENT_YET: SpentSum = { calls: 0, tokens: 0, usd: 0, billed: 0, unpriced: 0 };

export interface SpentByWorker {
  readonly workerId: string;
  /** The worker's name at its last call. */
  readonly name: string;
  readonly today: SpentSum;
  readonly month: SpentSum;
}

export interface SpendingTotals {
  readonly today: SpentSum;
  readonly month: SpentSum;
  /** Workers called this month, most expensive first. */
  readonly workers: readonly SpentByWorker[];
}

/** Every method rejects with a `FaultError` if storage fails. Days are in local time. */
export interface Spending {
  /** Checks the cap and reserves the maximum cost in one atomic step, across all tabs. */
  hold(call: HoldRequest): Promise<HoldResult>;
  /** Records the actual cost on the day of the reservation. `null`: the call was never sent. No effect for a settled `id`. */
  settle(id: string, bill: PaidBill | null): Promise<void>;
  /**
   * Counts all amounts that are still reserved for a run as spent, because the calls may have been charged.
   * Use this method only when none of the run's calls is in progress.
   * @param neverLeft whether a call was certainly never sent, so that its amount is released instead. Absent:
   * every call may have been sent
   */
  abandon(runId: string, neverLeft?: (call: CallKey) => boolean): Promise<void>;
  /** Ids of the runs for which money is reserved. */
  holders(): Promise<readonly string[]>;
  totals(): Promise<SpendingTotals>;
}

/** Relative tolerance when a sum of costs is compared with the cap, because of floating-point errors. */
const ROUNDING = 1e-9;

/** Checks one more call against the daily cap. `null`: the call may be sent. */
export function judgeDay(
  { name, usd }: Pick<HoldRequest, 'name' | 'usd'>,
  cap: number | null,
  day: { readonly spent: number; readonly held: number },
): Exclude<HoldResult, { type: 'held' }> | null {
  if (cap === null) return null;
  if (usd === null || !isMoney(usd))
    return { type: 'refused', fault: priceUnknown(name), limit: cap, wanted: day.spent };
  if (usd === 0) return null;
  const most = cap * (1 + ROUNDING);
  const wanted = day.spent + usd;
  if (wanted > most) return { type: 'refused', fault: daySpent(cap, day.spent, usd), limit: cap, wanted };
  return wanted + day.held > most ? { type: 'wait' } : null;
}

function daySpent(cap: number, spent: number, usd: number): Fault {
  const left = money(Math.max(0, cap - spent));
  const message = `Your daily budget is ${money(cap)}, and ${left} of it is left today. The next call could cost up to ${money(usd)}. Raise the daily budget, allow shorter answers, or continue tomorrow.`;
  return fault('cap-reached', message);
}

/** The local date of a moment, such as `2026-11-21`. Sorting these dates as text sorts them by time. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The stored cost of one worker's calls on one day. */
export interface DaySpent extends SpentSum {
  readonly day: string;
  readonly workerId: string;
  readonly name: string;
}

export function addSums(one: SpentSum, other: SpentSum): SpentSum {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    // A stored sum above `MOST_USD` can't be read, so it would count as zero on the next visit.
    usd: Math.min(MOST_USD, one.usd + other.usd),
    billed: Math.min(MOST_USD, one.billed + other.billed),
    unpriced: one.unpriced + other.unpriced,
  };
}

/**
 * Converts a bill to a sum. An invalid amount counts as unknown, so that no bill lowers the amount spent.
 * @param held the amount reserved for the call. `null`: the price of the call was unknown
 */
export function sumOf({ usd, billed, tokens }: PaidBill, held: number | null): SpentSum {
  const isKnown = usd !== null && isMoney(usd);
  const cost = isKnown ? usd : held !== null && isMoney(held) ? held : 0;
  return {
    calls: 1,
    tokens: Math.max(0, tokens),
    usd: cost,
    billed: billed && isKnown ? cost : 0,
    unpriced: isKnown ? 0 : 1,
  };
}

/**
 * The totals of a day and its month.
 * @param rows all stored costs of this month
 * @param today the day, as `dayOf` returns it
 */
export function totalsOf(rows: readonly DaySpent[], today: string): SpendingTotals {
  const workers = new Map<string, SpentByWorker>();
  for (const row of rows) {
    const before = workers.get(row.workerId);
    const month = addSums(before?.month ?? NOTHING_SPENT_YET, row);
    const todays =
      row.day === today ? addSums(before?.today ?? NOTHING_SPENT_YET, row) : (before?.today ?? NOTHING_SPENT_YET);
    workers.set(row.workerId, { workerId: row.workerId, name: row.name, today: todays, month });
  }
  const list = [...workers.values()].toSorted((one, other) => other.month.usd - one.month.usd);
  const total = (of: 'today' | 'month') => list.reduce((sum, each) => addSums(sum, each[of]), NOTHING_SPENT_YET);
  return { today: total('today'), month: total('month'), workers: list };
}
