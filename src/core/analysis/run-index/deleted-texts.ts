/**
 * @file Removes the texts of deleted runs from the stored index of runs. The index is stored in chunks, and
 * each chunk holds many runs. A later call of `remove` retries a failed removal. The more often a removal has
 * failed, the more calls skip it before the next retry.
 */
import type { IndexRecords } from '../../contract';
import type { IndexedRuns } from './indexed-runs';

/** A pending removal of the texts of deleted runs from one chunk. */
interface Removal {
  failures: number;
  /** Number of calls of `remove` that skip this removal before it is retried. */
  skips: number;
}

/** Maximum number of calls in a row that skip a removal. */
const MOST_SKIPS = 63;

interface DeletedTextsOptions {
  readonly records: Pick<IndexRecords, 'seal' | 'drop'>;
  /** See `buildSegment`. */
  readonly pause: () => Promise<void>;
  /** Called with the error when a removal fails. */
  readonly report: (thrown: unknown) => void;
}

/**
 * `dropped`: some texts of a chunk were missing, so the chunk was deleted and its runs must be indexed again. `other-index`:
 * the stored index was replaced by another one.
 */
type Removed = 'removed' | 'dropped' | 'other-index';

export class DeletedTexts {
  readonly #options: DeletedTextsOptions;
  /** The pending removals, by the number of the chunk. */
  readonly #chunks = new Map<number, Removal>();
  /** Whether runs were deleted since the last call of `remove`. */
  #mayHold = false;

  constructor(options: DeletedTextsOptions) {
    this.#options = options;
  }

  get isDue(): boolean {
    return this.#mayHold || this.#chunks.size > 0;
  }

  /** Call this method when a run was deleted. */
  note(): void {
    this.#mayHold = true;
  }

  /** Call this method when the index was loaded again, because its chunks may differ from the old ones. */
  forget(): void {
    this.#chunks.clear();
  }

  async remove(epoch: string, runs: IndexedRuns): Promise<Removed> {
    this.#mayHold = false;
    for (const chunk of runs.holdingDeleted()) {
      if (!this.#chunks.has(chunk)) this.#chunks.set(chunk, { failures: 0, skips: 0 });
    }
    let result: Removed = 'removed';
    for (const [chunk, removal] of [...this.#chunks]) {
      if (removal.skips > 0) {
        removal.skips -= 1;
        continue;
      }
      try {
        const removed = await this.#removeFrom(chunk, epoch, runs);
        if (removed === 'other-index') return removed;
        if (removed === 'dropped') result = removed;
        this.#chunks.delete(chunk);
      } catch (thrown) {
        removal.skips = Math.min(MOST_SKIPS, 2 ** removal.failures - 1);
        removal.failures += 1;
        this.#options.report(thrown);
      }
    }
    return result;
  }

  async #removeFrom(chunk: number, epoch: string, runs: IndexedRuns): Promise<Removed> {
    const { records, pause } = this.#options;
    const rest = await runs.withoutDeleted(chunk, pause);
    if (!rest) {
      if (!(await records.drop(epoch, chunk, runs.idsOf(chunk)))) return 'other-index';
      runs.drop(chunk);
      return 'dropped';
    }
    const dead = runs.deadOf(chunk);
    if (!(await records.seal({ epoch, chunk, ...rest, ids: [], dead }))) return 'other-index';
    runs.replace(chunk, rest);
    return 'removed';
  }
}
