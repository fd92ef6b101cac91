/**
 * @file What calls cost, day by day and over all tabs: the ledger that holds the cap of a day, and its totals. The worst case
 * of a call is set aside before it leaves and settled when it has ended, so that calls side by side cannot overshoot together.
 */
import { priceUnknown, type Account } from './account';
import { fault, type Fault } from '../fault';
import { isMoney, money, MOST_USD } from './money';

/** Which of its run's calls money is set aside for. */
export interface CallKey {
  readonly round: number;
  /** `null`: what the Conductor asks its model for the plan of the round. */
  readonly step: number | null;
  /** As in a `StepKey`; for a plan, how many answers to it came before. */
  readonly attempt: number;
}

/** A call that may cost something, before it leaves. */
export interface HoldRequest {
  readonly runId: string;
  readonly workerId: string;
  readonly name: string;
  /** The most it may cost, US dollars; `null`: its price is unknown. */
  readonly usd: number | null;
  /** Absent: an older version set it aside. */
  readonly call?: CallKey;
}

/** What a call turned out to cost. */
export interface PaidBill {
  /** US dollars; `null`: nobody knows, so that what was set aside counts. */
  readonly usd: number | null;
  /** Whether that is the provider's own figure. */
  readonly billed: boolean;
  readonly tokens: number;
}

export function billOf({ usage, cost, billed = false }: Account): PaidBill {
  return { usd: cost, billed, tokens: usage ? usage.input + usage.output : 0 };
}

/**
 * - `held`: the call may leave; settle it by this id
 * - `wait`: it fits only if calls under way, here or in another tab, turn out cheaper; ask again later
 * - `refused`: it cannot fit today
 */
export type HoldResult =
  | { readonly type: 'held'; readonly id: string }
  | { readonly type: 'wait' }
  | { readonly type: 'refused'; readonly fault: Fault; readonly limit: number; readonly wanted: number };

/** A sum of money, and what is behind it. */
export interface SpentSum {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  /** The part of `usd` that is the providers' own figures. */
  readonly billed: number;
  /** Calls whose cost nobody knows; what was set aside for them is in `usd`. */
  readonly unpriced: number;
}

export const NOTHING_SPENT_YET: SpentSum = { calls: 0, tokens: 0, usd: 0, billed: 0, unpriced: 0 };

export interface SpentByWorker {
  readonly workerId: string;
  /** As it was called last. */
  readonly name: string;
  readonly today: SpentSum;
  readonly month: SpentSum;
}

export interface SpendingTotals {
  readonly today: SpentSum;
  readonly month: SpentSum;
  /** Those that were called this month, the dearest first. */
  readonly workers: readonly SpentByWorker[];
}

/** Rejects with a `FaultError` where storage fails. Days are those of this machine's calendar. */
export interface Spending {
  /** Sets the worst case aside in one step with looking at the cap, whatever other tabs do meanwhile. */
  hold(call: HoldRequest): Promise<HoldResult>;
  /** Books what it came to, on the day on which it left. `null`: it never left. No effect for an id that is settled. */
  settle(id: string, bill: PaidBill | null): Promise<void>;
  /**
   * What is still set aside for this run counts as spent, because it may have been charged. Once nothing of it is under way.
   * @param neverLeft tells of a call that it cannot have been charged; absent: none
   */
  abandon(runId: string, neverLeft?: (call: CallKey) => boolean): Promise<void>;
  /** The runs for which money is set aside. */
  holders(): Promise<readonly string[]>;
  totals(): Promise<SpendingTotals>;
}

/** Sums of prices are compared with this much leniency, relative to the cap: they are floating-point numbers. */
const ROUNDING = 1e-9;

/** What a day's cap says of one more call. `null`: it may leave. */
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
  const message = `A day may cost at most ${money(cap)}. Today has cost ${money(spent)}, and the next call could cost ${money(usd)}. Allow more under Settings, or shorter answers, or go on tomorrow.`;
  return fault('cap-reached', message);
}

/** The day of a moment as this machine's calendar has it: `2026-11-21`, so that days sort as text. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** What one worker's calls of one day came to, as it is stored. */
export interface DaySpent extends SpentSum {
  readonly day: string;
  readonly workerId: string;
  readonly name: string;
}

export function addSums(one: SpentSum, other: SpentSum): SpentSum {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    // A sum beyond what is read back would count as nothing on the next visit.
    usd: Math.min(MOST_USD, one.usd + other.usd),
    billed: Math.min(MOST_USD, one.billed + other.billed),
    unpriced: one.unpriced + other.unpriced,
  };
}

/**
 * A bill as a sum, which never lowers what was spent: a bill that is no amount of money counts as unknown.
 * @param held what was set aside for it; `null`: its price was unknown
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

/** @param rows of this month @param today as `dayOf` */
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
