/**
 * @file Decides whether the Conduct page shows the introduction to Podium. The introduction is shown until a run exists or the
 * user dismisses it.
 */
import type { RunStore } from '../../core/contract';

const NAME = 'podium.introduced';

export class FirstVisit {
  isFirst = $state(!isIntroduced());

  /** Ends the first visit if any run is stored. Older versions of Podium stored runs without setting `NAME`. */
  async load(store: Pick<RunStore, 'summaries'>): Promise<void> {
    if (!this.isFirst) return;
    const { summaries } = await store.summaries({ limit: 1 });
    if (summaries.length > 0) this.end();
  }

  /** Call this after a run has started, or after the user has dismissed the introduction. */
  end(): void {
    if (!this.isFirst) return;
    this.isFirst = false;
    try {
      localStorage.setItem(NAME, '1');
    } catch {
      // Storage is off or full. The introduction is shown again on the next visit.
    }
  }
}

function isIntroduced(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false;
  }
}
