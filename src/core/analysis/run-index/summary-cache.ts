/**
 * @file Caches the most recently read summaries of runs, because reading fifty summaries takes longer than finding their runs in
 * the index.
 */
import type { RunSummary } from '../../contract';
import type { RunPlace } from './indexed-runs';

/** Maximum number of cached summaries, at about 1 kB each. */
const MOST = 4000;

export class SummaryCache {
  readonly #read: (places: readonly RunPlace[]) => Promise<readonly RunSummary[]>;
  readonly #kept = new Map<string, RunSummary>();
  /** Counts changes of runs. If a run changes while summaries are being read, these summaries are not cached. */
  #changes = 0;

  constructor(read: (places: readonly RunPlace[]) => Promise<readonly RunSummary[]>) {
    this.#read = read;
  }

  /** The summaries of these runs, in order. Runs that were deleted meanwhile are left out. */
  async get(places: readonly RunPlace[]): Promise<readonly RunSummary[]> {
    const changes = this.#changes;
    const missing = places.filter(({ id }) => !this.#kept.has(id));
    const found = new Map<string, RunSummary>();
    if (missing.length > 0) for (const summary of await this.#read(missing)) found.set(summary.id, summary);
    const all = places.flatMap(({ id }) => this.#kept.get(id) ?? found.get(id) ?? []);
    if (changes === this.#changes) for (const [id, summary] of found) this.#kept.set(id, summary);
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break;
      this.#kept.delete(id);
    }
    return all;
  }

  /** Removes the summary of a run that has changed. */
  forget(id: string): void {
    this.#changes += 1;
    this.#kept.delete(id);
  }

  clear(): void {
    this.#changes += 1;
    this.#kept.clear();
  }
}
