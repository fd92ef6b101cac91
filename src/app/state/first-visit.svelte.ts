/**
 * @file Decides whether the page *Conduct* shows a sentence that explains Podium. The sentence is shown until a run exists or the
 * user dismisses it.
 */
import type { RunStore } from '../../core/contract';

const NAME = 'podium.introduced';

export class FirstVisit {
  isFirst = $state(!isIntroduced());

  /** Ends the first visit if runs are stored. They may come from a version of Podium that did not store `NAME` yet. */
  async load(store: Pick<RunStore, 'summaries'>): Promise<void> {
    if (!this.isFirst) return;
    const { summaries } = await store.summaries({ limit: 1 });
    if (summaries.length > 0) this.end();
  }

  /** Call when a run was started, or when the user has dismissed the sentence. */
  end(): void {
    if (!this.isFirst) return;
    this.isFirst = false;
    try {
      localStorage.setItem(NAME, '1');
    } catch {
      // Storage is off, so the sentence is shown again on the next visit.
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
