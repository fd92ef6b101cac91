/**
 * @file Computes the rewards of items. An item is a task with the text that a Conductor in training has written for it. Parses
 * the text as a workflow, carries out the workflow with the item's workers, and grades the answer.
 */
import { parseWorkflow } from '../../../core/conductor/parse';
import {
  isAbort,
  isNotGradable,
  rewardOf,
  toFault,
  type Grader,
  type PoolWorker,
  type Run,
  type Verdict,
  type Workflow,
} from '../../../core/contract';
import { graderFor } from '../../../core/graders/grader-for';
import { ApiError } from '../http/api-error';
import { playWorkflow, type PlayOptions } from './play-workflow';
import { resultOf, RUN_CAP, SHUTTING_DOWN, TIME_LIMIT, TIMEOUT, WORKER_OUTAGE, type RunResult } from './run-result';
import { ScoreMemory, type Leaving, type Scored } from './score-memory';
import { MOST_STEPS, isScored, workersOf, type ScoreError, type ScoreItem, type ScoreResult } from './score-request';

export interface ScorerOptions extends PlayOptions {
  /** Maximum number of runs at once. Further items wait. */
  readonly concurrency: number;
  /**
   * Time in ms after which a request is answered even if results are missing. The runs of the missing results continue for a
   * while. A request with the same items gets these results.
   */
  readonly patience: number;
  /** Time in ms after which a run is stopped. */
  readonly longestRun: number;
  /** Called with unexpected errors, such as errors of storage. */
  readonly report: (thrown: unknown) => void;
}

export interface Scorer {
  /**
   * Computes the rewards of items. The results are in the order of the items. Throws an `ApiError` for invalid items (400),
   * and if too many items are waiting (429).
   * @param gone aborts when the client is gone. The runs that no other request waits for are then stopped
   */
  score(items: readonly ScoreItem[], gone?: AbortSignal): Promise<readonly ScoreResult[]>;
  /** Stops the current runs. Waiting items are not started. Resolves when all runs have ended. */
  stop(): Promise<void>;
}

/** Maximum number of items that are in progress or waiting. */
const MOST_PENDING = 20_000;

/** The signal for graders. It is never aborted, because graders take milliseconds. */
const NEVER = new AbortController().signal;

export function createScorer(options: ScorerOptions): Scorer {
  const { engine, clock, concurrency, patience, longestRun, runs, report } = options;
  const slots = new Slots(concurrency);
  const ended = new AbortController();
  const memory = new ScoreMemory(clock, (runId) => {
    if (!runs) void engine.store.delete(runId).catch(report);
  });

  async function scoreItem(
    item: ScoreItem,
    { pool, earlier, abandoned }: Pick<Scoring, 'pool' | 'earlier' | 'abandoned'>,
  ): Promise<Scored> {
    const parsed = parseWorkflow(item.completion, { poolSize: pool.length, maxSteps: MOST_STEPS });
    const steps = parsed.ok ? parsed.workflow.steps.length : 0;
    const base: ScoreResult = { ...NOTHING, id: item.id, format: parsed.ok, steps };
    try {
      const grader = await usableGrader(item);
      if (!grader) return settled({ ...base, gradable: false });
      if (!parsed.ok) return settled({ ...base, reward: rewardOf(false, null) });
      return await slots.run(() =>
        scoreWorkflow(item, { pool, workflow: parsed.workflow, grader, base, earlier, abandoned }),
      );
    } catch (thrown) {
      // Deletes the earlier run. The next retry starts a new run, so nothing else would delete the earlier run.
      if (earlier !== null && !runs) await engine.store.delete(earlier).catch(report);
      if (isAbort(thrown)) return settled({ ...base, error: ENDING });
      report(thrown);
      return settled({ ...base, error: { code: 'internal', message: toFault(thrown).message, retryable: true } });
    }
  }

  async function scoreWorkflow(
    { task, seed }: ScoreItem,
    { pool, workflow, grader, base, earlier, abandoned }: Scoring,
  ): Promise<Scored> {
    if (ended.signal.aborted) return { result: { ...base, error: ENDING }, failedRun: earlier };
    if (abandoned.aborted) return { result: { ...base, error: ABANDONED }, failedRun: earlier };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), longestRun);
    const signal = AbortSignal.any([late.signal, ended.signal, abandoned]);
    const given = { question: task.question, pool, seed, workflow, earlier };
    const played = await playWorkflow(given, options, signal).finally(() => clearTimeout(timer));
    const { run } = played;
    const isLate = run.status === 'cancelled' && late.signal.aborted;
    const outcome: RunResult = isLate ? { kind: 'unknown', error: TOO_LONG } : resultOf(run);
    // The earlier run was continued and has reached a cap, so it can’t be continued again. The error is
    // retryable, because a retry starts a new run.
    const isUsedUp = earlier !== null && outcome.kind === 'unknown' && outcome.error.code === RUN_CAP;
    if (isUsedUp) {
      await played.finish(null, false).catch(report);
      return settled({ ...base, error: { ...outcome.error, code: WORKER_OUTAGE, retryable: true } });
    }
    const spent = { ...base, calls: run.spent.calls, cost_usd: costOf(run), run: run.id };
    const isKept = outcome.kind === 'unknown' && outcome.error.retryable && run.spent.calls > 0;
    let verdict: Verdict | null = null;
    try {
      if (outcome.kind === 'answered') verdict = await grader.grade(taskOf(task), outcome.answer, NEVER);
    } catch (thrown) {
      report(thrown);
      // Not retryable: the run is paid for, and grading its answer again would give the same error.
      return settled({ ...spent, error: { code: 'not_graded', message: toFault(thrown).message, retryable: false } });
    } finally {
      // Even if the run can't be stored, its result must not be lost, because it is paid for.
      await played.finish(verdict, isKept).catch(report);
    }
    if (outcome.kind === 'unknown') {
      return { result: { ...spent, error: outcome.error }, failedRun: isKept ? run.id : null };
    }
    const correct = verdict?.correct ?? false;
    return settled({ ...spent, correct, reward: rewardOf(true, correct) });
  }

  return {
    async score(items, gone) {
      if (memory.size + items.length > MOST_PENDING) {
        throw new ApiError(429, 'Too many items are waiting.', { code: 'server_full', retryAfter: 5 });
      }
      const pools = items.map(({ pool }) => workersOf(pool, engine.pool.workers));
      let leave: (why: Leaving) => void = () => undefined;
      const left = new Promise<Leaving>((resolve) => (leave = resolve));
      const timer = setTimeout(() => leave('late'), patience);
      const lose = () => leave('lost');
      gone?.addEventListener('abort', lose, { once: true });
      if (gone?.aborted) lose();
      try {
        return await Promise.all(
          items.map(async (item, index): Promise<ScoreResult> => {
            const score = (earlier: string | null, abandoned: AbortSignal) =>
              scoreItem(item, { pool: pools[index] ?? [], earlier, abandoned });
            return (await memory.scoreOnce(item, score, left)) ?? { ...NOTHING, id: item.id, error: LATE };
          }),
        );
      } finally {
        clearTimeout(timer);
        gone?.removeEventListener('abort', lose);
      }
    },
    async stop() {
      ended.abort();
      await memory.settled();
    },
  };
}

interface Scoring {
  readonly pool: readonly PoolWorker[];
  readonly workflow: Workflow;
  readonly grader: Grader;
  readonly base: ScoreResult;
  /** Id of a failed run to continue. `null`: start a new run. */
  readonly earlier: string | null;
  /** Aborts when no request waits for the result. */
  readonly abandoned: AbortSignal;
}

function settled(result: ScoreResult): Scored {
  return { result, failedRun: null };
}

const NOTHING: ScoreResult = {
  id: '',
  reward: null,
  format: false,
  correct: null,
  gradable: true,
  steps: 0,
  calls: 0,
  cost_usd: 0,
  run: null,
  error: null,
};

const LATE: ScoreError = {
  code: TIMEOUT,
  message:
    'The run takes longer than the time limit of a request, and continues on the server. Send the same item again to get its result.',
  retryable: true,
};

const TOO_LONG: ScoreError = {
  code: TIME_LIMIT,
  message: 'The run was stopped because it took too long. Its answer is unknown.',
  retryable: false,
};

const ABANDONED: ScoreError = {
  code: WORKER_OUTAGE,
  message: 'The run was stopped, because no request waited for its result. Send the same item again.',
  retryable: true,
};

const ENDING: ScoreError = {
  code: SHUTTING_DOWN,
  message: 'The server is shutting down. Send the same item again when the server is running.',
  retryable: true,
};

/**
 * The grader of an item's task. `null`: no grader can grade the task. To find this out before any call is paid for, this
 * function lets the grader grade an empty answer.
 */
async function usableGrader({ task }: ScoreItem): Promise<Grader | null> {
  const grader = isScored(task.grader) ? graderFor(task.grader, 'strict') : null;
  if (!grader) return null;
  try {
    await grader.grade(taskOf(task), '', NEVER);
    return grader;
  } catch (thrown) {
    if (isNotGradable(toFault(thrown))) return null;
    throw thrown;
  }
}

function taskOf({ question, reference }: ScoreItem['task']): Parameters<Grader['grade']>[0] {
  return { question, ...(reference === undefined ? {} : { reference }) };
}

function costOf({ spent }: Run): number | null {
  return spent.unpriced > 0 ? null : spent.usd;
}

/** Limits how many asynchronous functions run at once. Further calls wait in a queue. */
class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Calls `work` when a slot is free. Waiting calls start in the order of arrival. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      // Gives the slot to the next waiting call.
      if (next) next();
      else this.#free += 1;
    }
  }
}
