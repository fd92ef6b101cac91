/**
 * @file Deletes runs after a few seconds in which the user can undo the deletion. The ids of these runs are in `localStorage`, so
 * that the deletion survives a reload. The next visit offers Undo in the list for the rest of the time, then deletes the runs.
 */
import * as z from 'zod/mini';
import { toFault, type Fault } from '../../core/contract';
import type { Runs } from '../../core/runs';
import { DELETED_RUNS_KEY } from './deleted-runs-memory';
import { forgetPlan } from './held-plan-memory';
import { setOf } from './replaced';

z.config({ jitless: true });

/** Time to undo a deletion, ms. */
export const UNDO_TIME = 10_000;

/** `until`: ms since the epoch. */
const entry = z.object({ ids: z.array(z.string()), until: z.number() });
type Entry = z.infer<typeof entry>;

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class RunDeletion {
  /** Ids of runs that the list leaves out. They are deleted soon. */
  hidden: readonly string[] = $state.raw([]);
  /** Number of runs that Undo would restore. `0`: there is no deletion to undo. */
  undoable = $state(0);
  /** Why some runs of the last deletion could not be deleted. These runs are in the list again. */
  fault: Fault | null = $state.raw(null);

  readonly #runs: Pick<Runs, 'delete'>;
  readonly #memory: Memory;
  readonly #now: () => number;
  #waiting: Entry | null = null;
  /** Whether `#waiting` is also in `localStorage`. */
  #isStored = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(runs: Pick<Runs, 'delete'>, memory: Memory = localStorage, now: () => number = Date.now) {
    this.#runs = runs;
    this.#memory = memory;
    this.#now = now;
  }

  /** Continues with a deletion that was requested before a reload, unless another deletion is already waiting. */
  resume(): Promise<void> {
    if (this.#waiting) return Promise.resolve();
    const found = this.#recall();
    if (!found) return Promise.resolve();
    this.#isStored = true;
    return this.#wait(found);
  }

  /**
   * Hides these runs, and deletes them when the time to undo is over. If another deletion is waiting, completes it immediately.
   */
  async request(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    // `until` also identifies a deletion, so it must differ from that of an earlier deletion.
    const until = Math.max(this.#now() + UNDO_TIME, (this.#waiting?.until ?? 0) + 1);
    const earlier = this.complete();
    this.fault = null;
    const next = { ids: [...ids], until };
    this.#isStored = this.#remember(next);
    void this.#wait(next);
    await earlier;
  }

  /** Cancels the waiting deletion, so that its runs are in the list again. */
  undo(): void {
    const { ids } = this.#waiting ?? { ids: [] };
    this.#stopWaiting();
    this.#forget();
    this.#unhide(ids);
  }

  /** Deletes the runs of the waiting deletion now. If another tab has undone the deletion, shows the runs again. */
  async complete(): Promise<void> {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#stopWaiting();
    // Another tab removes the entry when it undoes the deletion or has deleted the runs.
    const isUndone = this.#isStored && this.#recall()?.until !== waiting.until;
    if (!isUndone) await this.#delete(waiting);
    this.#unhide(waiting.ids);
  }

  async #delete(waiting: Entry): Promise<void> {
    for (const id of waiting.ids) {
      try {
        await this.#runs.delete(id);
        forgetPlan(id);
      } catch (thrown) {
        this.fault ??= toFault(thrown);
      }
    }
    if (this.#recall()?.until === waiting.until) this.#forget();
  }

  #wait(waiting: Entry): Promise<void> {
    this.#waiting = waiting;
    this.hidden = [...setOf([...this.hidden, ...waiting.ids])];
    const rest = waiting.until - this.#now();
    if (rest <= 0) return this.complete();
    this.undoable = waiting.ids.length;
    this.#timer = setTimeout(() => void this.complete(), Math.min(rest, UNDO_TIME));
    return Promise.resolve();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#waiting = null;
    this.undoable = 0;
  }

  #unhide(ids: readonly string[]): void {
    const shown = setOf(ids);
    this.hidden = this.hidden.filter((id) => !shown.has(id));
  }

  #recall(): Entry | null {
    try {
      const value: unknown = JSON.parse(this.#memory.getItem(DELETED_RUNS_KEY) ?? 'null');
      const parsed = entry.safeParse(value);
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  /** @returns whether the entry was stored. If storage is full or off, the entry exists only in this page */
  #remember(value: Entry): boolean {
    try {
      this.#memory.setItem(DELETED_RUNS_KEY, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  #forget(): void {
    try {
      this.#memory.removeItem(DELETED_RUNS_KEY);
    } catch {
      // Storage is off, so nothing was stored.
    }
  }
}

/** One `RunDeletion` for each `Runs`, because several parts of the app act on the same waiting deletion. */
const deletions = new WeakMap<Pick<Runs, 'delete'>, RunDeletion>();

export function deletionOf(runs: Pick<Runs, 'delete'>): RunDeletion {
  const deletion = deletions.get(runs) ?? new RunDeletion(runs);
  deletions.set(runs, deletion);
  return deletion;
}
