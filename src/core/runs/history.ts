/**
 * @file The newest graded runs, as Conductors that go by history are told of them. Read once, then kept up to date run by run.
 */
import { roleOf } from '../analysis';
import { foldEvents, type GradedRun, type Run, type RunStore } from '../contract';

/** The newest graded runs that count, and how many runs are looked through to find them. */
const MOST_GRADED = 500;
const MOST_SEEN = 5000;
const PAGE = 200;
/** Runs read at once. */
const TOGETHER = 50;

export class RunHistory {
  readonly #store: RunStore;
  #entries = new Map<string, GradedRun>();
  /** Runs that changed in another tab since they were counted. */
  readonly #stale = new Set<string>();
  #loading: Promise<void> | null = null;

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** The graded runs. The same object stands for the same run for as long as its grade stays. */
  async runs(): Promise<readonly GradedRun[]> {
    this.#loading ??= this.#load().catch((thrown: unknown) => {
      this.#loading = null;
      throw thrown;
    });
    await this.#loading;
    await this.#refresh();
    return [...this.#entries.values()];
  }

  /** Takes over a run whose grade has changed in this tab. */
  update(run: Run): void {
    this.#stale.delete(run.id);
    const entry = gradedRunOf(run);
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

  /** Forgets what was counted; the next count begins from the store. */
  reset(): void {
    this.#entries = new Map();
    this.#stale.clear();
    this.#loading = null;
  }

  async #load(): Promise<void> {
    let after: string | null = null;
    let graded = 0;
    for (let seen = 0; seen < MOST_SEEN && graded < MOST_GRADED; seen += PAGE) {
      const page = await this.#store.summaries({ limit: PAGE, after });
      const ids = page.summaries.filter(({ correct }) => correct !== null).map(({ id }) => id);
      const wanted = ids.slice(0, MOST_GRADED - graded);
      graded += wanted.length;
      for (let from = 0; from < wanted.length; from += TOGETHER) {
        await this.#count(wanted.slice(from, from + TOGETHER));
      }
      after = page.next;
      if (after === null) return;
    }
  }

  async #refresh(): Promise<void> {
    for (const runId of [...this.#stale]) {
      this.#stale.delete(runId);
      const summary = await this.#store.summary(runId);
      if (summary && summary.correct !== null) await this.#count([runId]);
      else this.#entries.delete(runId);
    }
  }

  async #count(runIds: readonly string[]): Promise<void> {
    for (const events of await this.#store.readMany(runIds)) {
      const run = foldEvents(events);
      if (run) this.update(run);
    }
  }
}

/** What a run tells of its workers; `null` where it is not graded. */
export function gradedRunOf(run: Run): GradedRun | null {
  const right = run.grade?.correct ?? null;
  if (right === null) return null;
  const played = new Map<string, GradedRun['played'][number]>();
  for (const { steps } of run.rounds) {
    const planned = steps.map(({ step }) => step);
    for (const { step, index, status } of steps) {
      const worker = run.pool[step.worker];
      // Reused steps count where they were called: in the run they were taken from.
      if (!worker || status !== 'finished') continue;
      const role = roleOf(planned, index);
      played.set(JSON.stringify([worker.id, role]), { workerId: worker.id, role });
    }
  }
  const { id, startedAt, question } = run;
  return { runId: id, startedAt, question: question.text, right, played: [...played.values()] };
}
