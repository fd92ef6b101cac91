/**
 * @file Keeps a running batch within its budget. The maximum cost of each run and of each call to the judge is reserved in
 * advance, so that parallel runs and calls can't exceed the budget together.
 */
import { fault, money, unlessAborted, type Fault } from '../../contract';

export interface BatchBudgetOptions {
  /** US dollars. `null`: no budget. */
  readonly limit: number | null;
  /** The money that the batch has spent so far, US dollars. */
  readonly spent: () => number;
}

/** `refused`: the cost exceeds the remaining budget, or is unknown. `left`: the signal was aborted. */
export type BudgetRoom =
  { readonly type: 'reserved' } | { readonly type: 'refused'; readonly fault: Fault } | { readonly type: 'left' };

export class BatchBudget {
  readonly #options: BatchBudgetOptions;
  /** Reserved maximum costs in US dollars, by key. */
  readonly #reserved = new Map<string, number>();
  #wake: () => void = () => undefined;
  #changed: Promise<void>;

  constructor(options: BatchBudgetOptions) {
    this.#options = options;
    this.#changed = new Promise((resolve) => (this.#wake = resolve));
  }

  /**
   * Waits until the budget has room for a cost. Never rejects.
   * @param key identifies the reservation, for `release`
   * @param usd the maximum cost in US dollars. `null`: unknown
   * @param what what the cost is for, as the beginning of the error message, such as “The next run”
   */
  async reserve(key: string, usd: number | null, what: string, signal: AbortSignal): Promise<BudgetRoom> {
    const { limit, spent } = this.#options;
    for (;;) {
      if (signal.aborted) return { type: 'left' };
      if (limit === null) return { type: 'reserved' };
      if (usd === null) return { type: 'refused', fault: fault('price-unknown', UNPRICED) };
      const reserved = [...this.#reserved.values()].reduce((sum, each) => sum + each, 0);
      if (usd === 0 || spent() + reserved + usd <= limit) {
        this.#reserved.set(key, usd);
        return { type: 'reserved' };
      }
      if (this.#reserved.size === 0) {
        return {
          type: 'refused',
          fault: fault('cap-reached', budgetSpent(what, { limit, spent: spent(), next: usd })),
        };
      }
      // Waits until a reservation is released. Then there may be room, because actual costs are usually below the reserved amounts.
      await unlessAborted(this.#changed, signal).catch(() => undefined);
    }
  }

  /** Releases a reservation. Call it after the actual cost has become part of `spent`. */
  release(key: string): void {
    if (!this.#reserved.delete(key)) return;
    const wake = this.#wake;
    this.#changed = new Promise((resolve) => (this.#wake = resolve));
    wake();
  }
}

const UNPRICED =
  'A price is unknown, so the budget of this batch can’t be enforced. Enter the price under Workers, or remove the budget.';

function budgetSpent(
  what: string,
  { limit, spent, next }: { readonly limit: number; readonly spent: number; readonly next: number },
): string {
  return `${what} could exceed the budget of ${money(limit)}: ${money(spent)} is spent, and it may cost up to ${money(next)}. Raise the budget to continue.`;
}
