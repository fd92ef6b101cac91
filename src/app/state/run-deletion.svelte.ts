/**
 * @file Deletes runs after a few seconds in which the user can undo the deletion. Until then, the deletion is pending, and
 * `localStorage` has the ids of its runs. So a reload does not cancel the deletion, and the user can still undo it.
 */
import * as z from 'zod/mini';
import { toFault, type Fault } from '../../core/contract';
import type { Runs } from '../../core/runs/runs';
import { DELETED_RUNS_KEY } from './deleted-runs-memory';
import { forgetPlan } from './held-plan-memory';
import { setOf } from './replaced';

z.config({ jitless: true });

/** Time to undo a deletion, ms. */
export const UNDO_TIME = 10_000;

/** A pending deletion. `ids`: ids of its runs. `until`: when the time to undo ends, ms since the epoch. */
const entry = z.object({ id: z.string(), ids: z.array(z.string()), until: z.number() });
type Entry = z.infer<typeof entry>;

/** A list, because each tab can have a pending deletion. */
const stored = z.array(entry);

/** `isStored`: whether the entry is also in `localStorage`. If not, no other tab can undo the deletion. */
type Waiting = Entry & { isStored: boolean };

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class RunDeletion {
  /** Ids of runs with a pending deletion. The list of runs does not show them. */
  hidden: readonly string[] = $state.raw([]);
  /** Number of runs that Undo would restore. `0`: there is no deletion to undo. */
  undoable = $state(0);
  /** Why some runs of the last deletion could not be deleted. These runs are in the list again. */
  fault: Fault | null = $state.raw(null);

  readonly #runs: Pick<Runs, 'delete'>;
  readonly #memory: Memory;
  readonly #now: () => number;
  /** The pending deletions that this tab carries out. `resume` can find several. They are undone or completed together. */
  #waiting: readonly Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(runs: Pick<Runs, 'delete'>, memory: Memory = localStorage, now: () => number = Date.now) {
    this.#runs = runs;
    this.#memory = memory;
    this.#now = now;
  }

  /**
   * Continues the pending deletions that began in another tab or before a reload. Does nothing if this tab
   * already has a pending deletion.
   */
  resume(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve();
    return this.#wait(this.#recall().map((found) => ({ ...found, isStored: true })));
  }

  /** Hides these runs, and deletes them when the time to undo is over. Completes an earlier pending deletion immediately. */
  async request(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const earlier = this.complete();
    this.fault = null;
    const next = { id: crypto.randomUUID(), ids: [...ids], until: this.#now() + UNDO_TIME };
    const isStored = this.#remember([...this.#recall(), next]);
    void this.#wait([{ ...next, isStored }]);
    await earlier;
  }

  /** Cancels the pending deletion, so that its runs are in the list again. */
  undo(): void {
    const waiting = this.#waiting;
    this.#stopWaiting();
    this.#forget(waiting);
    this.#unhide(waiting);
  }

  /** Deletes the runs of the pending deletion now. If another tab has undone the deletion, shows the runs again. */
  async complete(): Promise<void> {
    const waiting = this.#waiting;
    this.#stopWaiting();
    // Another tab removes the entry when it undoes the deletion or has deleted the runs.
    const remaining = setOf(this.#recall().map(({ id }) => id));
    for (const deletion of waiting) if (!deletion.isStored || remaining.has(deletion.id)) await this.#delete(deletion);
    this.#unhide(waiting);
  }

  async #delete(waiting: Waiting): Promise<void> {
    for (const id of waiting.ids) {
      try {
        await this.#runs.delete(id);
        forgetPlan(id);
      } catch (thrown) {
        this.fault ??= toFault(thrown);
      }
    }
    this.#forget([waiting]);
  }

  #wait(waiting: readonly Waiting[]): Promise<void> {
    if (waiting.length === 0) return Promise.resolve();
    this.#waiting = waiting;
    const ids = setOf(waiting.flatMap((deletion) => deletion.ids));
    this.hidden = [...setOf([...this.hidden, ...ids])];
    const rest = Math.max(...waiting.map(({ until }) => until)) - this.#now();
    if (rest <= 0) return this.complete();
    this.undoable = ids.size;
    this.#timer = setTimeout(() => void this.complete(), Math.min(rest, UNDO_TIME));
    return Promise.resolve();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.undoable = 0;
  }

  #unhide(deletions: readonly Entry[]): void {
    const shown = setOf(deletions.flatMap(({ ids }) => ids));
    this.hidden = this.hidden.filter((id) => !shown.has(id));
  }

  #recall(): Entry[] {
    try {
      const value: unknown = JSON.parse(this.#memory.getItem(DELETED_RUNS_KEY) ?? '[]');
      const parsed = stored.safeParse(value);
      return parsed.success ? parsed.data : [];
    } catch {
      return [];
    }
  }

  /** @returns `false` if storage is full or off, so that the entries exist only in this page */
  #remember(entries: readonly Entry[]): boolean {
    try {
      if (entries.length === 0) this.#memory.removeItem(DELETED_RUNS_KEY);
      else this.#memory.setItem(DELETED_RUNS_KEY, JSON.stringify(entries));
      return true;
    } catch {
      return false;
    }
  }

  #forget(deletions: readonly Entry[]): void {
    const gone = setOf(deletions.map(({ id }) => id));
    this.#remember(this.#recall().filter(({ id }) => !gone.has(id)));
  }
}

/** One `RunDeletion` for each `Runs`, because several parts of the app act on the same pending deletion. */
const deletions = new WeakMap<Pick<Runs, 'delete'>, RunDeletion>();

export function deletionOf(runs: Pick<Runs, 'delete'>): RunDeletion {
  const deletion = deletions.get(runs) ?? new RunDeletion(runs);
  deletions.set(runs, deletion);
  return deletion;
}
