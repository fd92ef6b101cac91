/**
 * @file A scripted `execute` that stamps and stores events like the real `execute`, and a fake browser whose tabs use the
 * scripted `execute`.
 */
import {
  abortError,
  isAbort,
  SETTING_DEFAULTS,
  type EventBody,
  type PoolWorker,
  type RunEvent,
} from '../../../src/core/contract';
import { createRuns } from '../../../src/core/runs/run-keeper';
import type { CurrentSetup } from '../../../src/core/runs/continuation';
import type { Execute, RunsDependencies } from '../../../src/core/runs/runs';
import type { NewRun } from '../../../src/core/runs/new-run';
import type { ExecuteRequest } from '../../../src/core/executor/request';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemoryLocks, MemoryNotices } from '../../fixtures/memory-locks';
import { MemoryStore } from '../../fixtures/memory-store';

export type Script = (request: ExecuteRequest, signal: AbortSignal) => AsyncIterable<EventBody>;

/**
 * An `execute` that runs a script. If the script throws an `AbortError`, the run ends as canceled.
 */
function scripted(script: Script, requested: ExecuteRequest[] = []): Execute {
  return async function* (request, { journal, clock }, signal) {
    requested.push(request);
    const resumed = request.prior?.kind === 'resume' ? request.prior.run : null;
    const segment = resumed?.segments.length ?? 0;
    const began = clock.monotonic();
    let seq = (resumed?.lastSeq ?? -1) + 1;
    const stamp = (body: EventBody): RunEvent => {
      const elapsed = clock.monotonic() - began;
      return { ...body, runId: request.runId, seq: seq++, at: clock.now(), segment, elapsed };
    };
    const keep = (event: RunEvent): RunEvent => {
      // The real `execute` handles failed writes. This one ignores them.
      journal.append(event).catch(() => undefined);
      return event;
    };
    try {
      for await (const body of script(request, signal)) {
        yield keep(stamp(body));
      }
    } catch (thrown) {
      if (!isAbort(thrown)) throw thrown;
      yield keep(stamp({ type: 'run-cancelled' }));
    }
  };
}

/** The first event of a new or resumed run. */
export function opening(request: ExecuteRequest): EventBody {
  return request.prior?.kind === 'resume'
    ? { type: 'run-resumed', ...(request.prior.raised ? { raised: request.prior.raised } : {}) }
    : { type: 'run-started', schema: 1, ...request.start };
}

/** A run of one round with one step, whose output is the answer. */
export const ANSWERING: Script = async function* (request) {
  yield opening(request);
  yield* oneStep(request);
  yield { type: 'run-finished', round: 0, step: 0 };
};

/** All events of a round with one step. The event that ends the run is not included. */
export async function* oneStep(request: ExecuteRequest): AsyncIterable<EventBody> {
  const key = { round: 0, step: 0, attempt: 0 };
  const workflow = { steps: [{ worker: 0, subtask: 'Solve it.', access: [], role: 'solve' as const }] };
  const none = { usage: null, cost: null, finishReason: null };
  yield { type: 'round-started', round: 0 };
  yield { type: 'plan-started', round: 0, conductor: request.start.conductor, messages: [] };
  yield { type: 'plan-finished', round: 0, workflow, thought: '', text: '', source: 'conductor', ...none };
  yield { type: 'step-queued', ...key };
  yield { type: 'step-started', ...key, workerId: 'ash', messages: [], sha256: '' };
  yield { type: 'step-delta', ...key, channel: 'content', text: '42' };
  const usage = { input: 7, output: 2 };
  yield { type: 'step-finished', ...key, output: '42', reasoning: '', usage, cost: 0, finishReason: 'stop' };
  yield { type: 'round-finished', round: 0, outcome: 'answered' };
}

/** Rejects with an `AbortError` once the signal is aborted. */
export function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stopped = () => reject(abortError());
    if (signal.aborted) stopped();
    signal.addEventListener('abort', stopped);
  });
}

/** Begins a run, and then waits until the run is stopped. */
export const HANGING: Script = async function* (request, signal) {
  yield opening(request);
  yield { type: 'round-started', round: 0 };
  await hang(signal);
};

export function worker(id: string, more: Partial<PoolWorker> = {}): PoolWorker {
  return {
    id,
    name: id,
    mark: id.slice(0, 2),
    colour: 1,
    kind: 'simulated',
    model: id,
    origin: null,
    price: { input: 1, output: 2 },
    ...more,
  };
}

/** The user's current workers and settings. By default, they equal those of `newRun`. */
export function currentSetup(more: Partial<CurrentSetup> = {}): CurrentSetup {
  const { pool, caps, sampling, candidates } = newRun();
  return { workers: pool, caps, sampling, candidates, dayUsd: null, isPrivate: false, approval: false, ...more };
}

export function newRun(more: Partial<NewRun> = {}): NewRun {
  return {
    question: 'What is six times seven?',
    pool: [worker('ash'), worker('birch')],
    conductor: {
      info: { id: 'heuristic', label: 'Heuristic', kind: 'heuristic' },
      propose: () => {
        throw new Error('A scripted run asks no Conductor.');
      },
    },
    recursion: false,
    maxSteps: 5,
    caps: { rounds: 2, calls: 16, tokens: null, usd: null },
    sampling: { temperature: 0.2, maxTokens: 4096 },
    ...SETTING_DEFAULTS,
    access: 'binary',
    ...more,
  };
}

/** The storage, locks and notices that all tabs of a browser share. */
export class Browser {
  readonly store = new MemoryStore();
  readonly locks = new MemoryLocks();
  readonly notices = new MemoryNotices();
  readonly clock = new FakeClock('auto');
  #ids = 0;
  #seeds = 100;

  /** Marks runs as imported, as an import from a file does. */
  async markImported(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const last = (await this.store.read(id)).at(-1);
      if (!last) throw new Error(`There is no run ${id}.`);
      const { runId, at, segment, elapsed, seq } = last;
      await this.store.append({ type: 'run-imported', runId, at, segment, elapsed, seq: seq + 1 });
    }
  }

  /** Opens a tab. `close` releases the tab's locks, as happens when a page is closed or crashes. */
  tab(script: Script = ANSWERING, more: Partial<RunsDependencies> = {}) {
    const requested: ExecuteRequest[] = [];
    const locks = this.locks.tab();
    const runs = createRuns({
      store: this.store,
      locks,
      notices: this.notices.tab(),
      clock: this.clock,
      workers: () => ({
        run: () => {
          throw new Error('A scripted run calls no worker.');
        },
      }),
      conductorFor: (info) => ({ ...newRun().conductor, info }),
      current: () => Promise.resolve(currentSetup()),
      newId: () => `run-${++this.#ids}`,
      newSeed: () => ++this.#seeds,
      execute: scripted(script, requested),
      ...more,
    });
    return { runs, requested, close: () => locks.close() };
  }
}
