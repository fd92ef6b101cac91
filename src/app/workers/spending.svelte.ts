/** @file The cost of calls today and this month, as last read from storage. */
import { toFault, type Fault, type SpendingTotals } from '../../core/contract';
import type { StorageServices, WorkerServices } from '../services';

type Needed = Pick<WorkerServices, 'spending'> & Pick<StorageServices, 'notices'>;

export class SpendingState {
  /** The totals. `null` until they are read. */
  totals: SpendingTotals | null = $state.raw(null);
  fault: Fault | null = $state.raw(null);
  readonly #services: Needed;

  constructor(services: Needed) {
    this.#services = services;
  }

  /**
   * Reads the cost now, and again whenever a run has changed in another tab. Call this in an effect.
   * @returns a function that unsubscribes
   */
  follow(): () => void {
    void this.look();
    return this.#services.notices.listen(() => void this.look());
  }

  async look(): Promise<void> {
    try {
      this.totals = await this.#services.spending.totals();
      this.fault = null;
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }
}
