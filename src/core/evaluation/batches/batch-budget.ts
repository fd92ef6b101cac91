/**
 * @file Keeps a running batch within its budget. Each run, and each call to the judge (the worker that
 * grades), reserves its maximum cost in advance. So parallel runs and calls together can't exceed the
 * budget.
 */
import { fault, money, unlessAborted, type Fault } from '../../contract';

export interface BatchBudgetOptions {
  /** US dollars. `null`: no budget. */
  readonly limit: number | null;
  /** The amount that the batch has spent so far, US dollars. */
  readonly spent: () => number;
}

/** `refused`: the budget will never have room, or the cost is unknown. `left`: the signal was aborted. */
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
   * @param what subject of the error message, such as “The next run”
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
      // When a reservation is released, there may be room, because most calls cost less than their maximum.
      await unlessAborted(this.#changed, signal).catch(() => undefined);
    }
  }

  /** Releases a reservation. Call this after `spent` includes the actual cost. */
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
  return `${what} could exceed the budget of ${money(limit)}. It may cost up to ${money(next)}, and ${money(spent)} is already spent. Raise the budget to continue.`;
}
