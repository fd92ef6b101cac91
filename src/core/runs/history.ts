/**
 * @file How each worker has done in graded runs: what Conductors that go by history are told. Counted once from the newest
 * graded runs, then kept up to date run by run.
 */
import { foldEvents, type Role, type Run, type RunStore, type WorkerHistory } from '../contract';

/** The newest graded runs that count, and how many runs are looked through to find them. */
const MOST_GRADED = 500;
const MOST_SEEN = 5000;
const PAGE = 200;

/** What one graded run tells: who was called, and in which roles. */
interface Entry {
  readonly startedAt: number;
  readonly right: boolean;
  readonly played: readonly { readonly workerId: string; readonly role: Role | 'any' }[];
}

export class RunHistory {
  readonly #store: RunStore;
  readonly #entries = new Map<string, Entry>();
  /** Runs that changed in another tab since they were counted. */
  readonly #stale = new Set<string>();
  #loading: Promise<void> | null = null;

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** Counts per worker and role, and per worker over all roles (`any`). A worker counts once in a run, however often it was called. */
  async totals(): Promise<readonly WorkerHistory[]> {
    this.#loading ??= this.#load().catch((thrown: unknown) => {
      this.#loading = null;
      throw thrown;
    });
    await this.#loading;
    await this.#refresh();
    return total([...this.#entries.values()]);
  }

  /** Takes over a run whose grade has changed in this tab. */
  update(run: Run): void {
    this.#stale.delete(run.id);
    const entry = entryOf(run);
    if (!entry) {
      this.#entries.delete(run.id);
      return;
    }
    this.#entries.set(run.id, entry);
    if (this.#entries.size <= MOST_GRADED) return;
    const oldest = [...this.#entries].reduce((one, other) => (other[1].startedAt < one[1].startedAt ? other : one));
    this.#entries.delete(oldest[0]);
  }

  /** Another tab changed the run: it is looked at again before the next count. */
  mark(runId: string): void {
    this.#stale.add(runId);
  }

  forget(runId: string): void {
    this.#entries.delete(runId);
  }

  forgetAll(): void {
    this.#entries.clear();
  }

  async #load(): Promise<void> {
    let after: string | null = null;
    for (let seen = 0; seen < MOST_SEEN && this.#entries.size < MOST_GRADED; seen += PAGE) {
      const page = await this.#store.summaries({ limit: PAGE, after });
      for (const summary of page.summaries) {
        if (summary.correct !== null && this.#entries.size < MOST_GRADED) await this.#count(summary.id);
      }
      after = page.next;
      if (after === null) return;
    }
  }

  async #refresh(): Promise<void> {
    for (const runId of [...this.#stale]) {
      this.#stale.delete(runId);
      const summary = await this.#store.summary(runId);
      if (summary && summary.correct !== null) await this.#count(runId);
      else this.#entries.delete(runId);
    }
  }

  async #count(runId: string): Promise<void> {
    const run = foldEvents(await this.#store.read(runId));
    if (run) this.update(run);
  }
}

function entryOf(run: Run): Entry | null {
  if (!run.grade || run.grade.correct === null) return null;
  const played = new Map<string, Entry['played'][number]>();
  for (const { step, status } of run.rounds.flatMap((round) => round.steps)) {
    const worker = run.pool[step.worker];
    // Reused steps count where they were called: in the run they were taken from.
    if (!worker || status !== 'finished') continue;
    for (const role of step.role ? ([step.role, 'any'] as const) : (['any'] as const)) {
      played.set(JSON.stringify([worker.id, role]), { workerId: worker.id, role });
    }
  }
  return { startedAt: run.startedAt, right: run.grade.correct, played: [...played.values()] };
}

function total(entries: readonly Entry[]): WorkerHistory[] {
  const counts = new Map<string, WorkerHistory>();
  for (const { played, right } of entries) {
    for (const { workerId, role } of played) {
      const key = JSON.stringify([workerId, role]);
      const { graded, right: before } = counts.get(key) ?? { graded: 0, right: 0 };
      counts.set(key, { workerId, role, graded: graded + 1, right: before + (right ? 1 : 0) });
    }
  }
  return [...counts.values()];
}
