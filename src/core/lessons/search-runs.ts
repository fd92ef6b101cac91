/**
 * @file Makes the calls of a search for lessons as stored runs. The id of a run is a digest of everything that determines it, so that a
 * search that was killed finds its runs again and pays for nothing twice.
 */
import {
  abortError,
  fault,
  FaultError,
  mixSeed,
  randomIndex,
  seededRandom,
  sha256Hex,
  shuffled,
  type EvaluationTask,
  type Fault,
  type PoolWorker,
  type Run,
  type Workflow,
} from '../contract';
import { batchConductor } from '../evaluation/batches/batch-conductor';
import type { UnitGrader } from '../evaluation/batches/grading';
import { blockedBy, isSettled } from '../evaluation/batches/live-units';
import type { NewRun } from '../runs/new-run';
import type { Runs } from '../runs/runs';
import { feedbackOn } from './feedback';
import type { NeededRun } from './next-step';
import { inPlanOrder } from './plan-order';
import { reflectionMessages } from './reflection';
import type { SearchCalls } from './search';
import type { CallCost, SearchPlan } from './search-events';

export interface SearchRunsOptions {
  readonly runs: Pick<Runs, 'open' | 'start' | 'resumeAs'>;
  readonly pool: readonly PoolWorker[];
  /** Makes a request with the Conductor that learns and its settings. `plan` replaces the Conductor's plan. */
  readonly request: (
    question: string,
    given: { readonly id: string; readonly seed: number; readonly task?: string; readonly plan?: Workflow },
  ) => NewRun;
  readonly plan: SearchPlan;
  readonly tasks: ReadonlyMap<string, EvaluationTask>;
  readonly grader: UnitGrader;
  /** The worker that reflects. */
  readonly reflector: PoolWorker;
  readonly showsReference: boolean;
}

/** After this many runs in a row without a verdict, the search stops instead of paying for more of them. */
const MOST_FAILURES = 8;

export function searchRuns(options: SearchRunsOptions): SearchCalls {
  const { runs, pool, plan, tasks, grader, reflector, showsReference } = options;
  let failures = 0;
  return {
    ordered: (needed) => inPlanOrder(needed, (task) => drawnPool(pool, plan.seed, task).map(({ id }) => id)),
    async grade({ lessons, task: id, isTraced }: NeededRun, signal) {
      const task = tasks.get(id);
      if (!task)
        throw new FaultError(fault('question-unreadable', `The task ${id} is missing. Use the same tasks as before.`));
      const run = await endedRun(runs, requestFor(task, lessons, options), signal);
      const grading = await grader.grade(task, run, signal);
      const verdict = grading.verdicts.strict;
      failures = verdict ? 0 : failures + 1;
      if (failures >= MOST_FAILURES) {
        throw new FaultError(grading.fault ?? fault('nothing-to-grade', 'No run gets an answer that can be graded.'));
      }
      const feedback = isTraced && verdict ? { feedback: feedbackOn(run, { task, verdict, showsReference }) } : {};
      return { score: verdict ? (verdict.correct ? 1 : 0) : null, ...costOf(run), ...feedback };
    },
    async reflect({ iteration, parent }, state, signal) {
      const messages = reflectionMessages(state, { iteration, parent, pool });
      const question = messages.map(({ content }) => content).join('\n\n');
      const id = idOf(plan, 'reflection', iteration.number, question);
      const workflow = {
        steps: [{ worker: 0, subtask: 'Write the lessons in the form that the task asks for.', access: [] }],
      };
      const request = options.request(question, { id, plan: workflow, seed: runSeed(plan.seed, id) });
      const run = await endedRun(runs, { ...request, id, pool: [reflector] }, signal);
      if (run.answer === null) {
        throw new FaultError(
          run.fault ?? fault('nothing-to-grade', `${reflector.name} gave no answer to the reflection.`),
        );
      }
      return { text: run.answer, ...costOf(run) };
    },
  };
}

function requestFor(
  task: EvaluationTask,
  lessons: readonly string[],
  { plan, pool, request: make }: SearchRunsOptions,
): NewRun & { readonly id: string } {
  const id = searchRunId(plan, task.id, lessons);
  const request = make(task.question, { id, seed: runSeed(plan.seed, task.id), task: task.id });
  const { lessons: _current, ...prompt } = request.prompt ?? {};
  return {
    ...request,
    id,
    pool: drawnPool(pool, plan.seed, task.id),
    // A plan of another Conductor would say nothing about the lessons.
    conductor: batchConductor(request.conductor, {}),
    // Earlier runs would change what the prompt says of the workers while the search goes on.
    planHistory: { history: [] },
    prompt: lessons.length === 0 ? prompt : { ...prompt, lessons },
  };
}

/**
 * The workers for a task of a search, at least half of them and at least two, in a random order, so that no lesson can depend on a
 * worker's number. All candidates get the same workers for a task, so that
 * their scores can be compared, and one score for each candidate and task is enough.
 */
export function drawnPool<Worker>(pool: readonly Worker[], searchSeed: number, task: string): Worker[] {
  const random = seededRandom(mixSeed(searchSeed, 'pool', task));
  const fewest = Math.min(pool.length, Math.max(2, Math.ceil(pool.length / 2)));
  return shuffled(pool, random).slice(0, fewest + randomIndex(random, pool.length - fewest + 1));
}

/** The seed of a task's runs in a search. It is the same for all candidates. */
export function runSeed(searchSeed: number, task: string): number {
  return mixSeed(searchSeed, 'run', task);
}

/** The id of the run of a task with these lessons. */
export function searchRunId(plan: Pick<SearchPlan, 'id'>, task: string, lessons: readonly string[]): string {
  return idOf(plan, 'run', task, lessons.join('\n'));
}

function idOf(plan: Pick<SearchPlan, 'id'>, ...parts: readonly (string | number)[]): string {
  return sha256Hex(JSON.stringify([plan.id, ...parts])).slice(0, 32);
}

/**
 * The run once it has ended. If it is stored, it is read or resumed. Rejects with an `AbortError` on abort, and with a `FaultError`
 * if the next runs would fail in the same way, for example offline. Such a run is resumed when the search continues.
 */
async function endedRun(
  runs: SearchRunsOptions['runs'],
  request: NewRun & { readonly id: string },
  signal: AbortSignal,
): Promise<Run> {
  const stored = (await runs.open(request.id))?.run ?? null;
  if (stored && isSettled(stored, false) && !pausedBy(stored)) return stored;
  signal.throwIfAborted();
  const live = stored ? await runs.resumeAs(stored.id, request) : await runs.start(request);
  const stop = () => live.stop();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    const run = await live.done;
    if (live.notice) throw new FaultError(live.notice);
    if (signal.aborted) throw abortError();
    const reason = pausedBy(run);
    if (reason) throw new FaultError(reason);
    return run;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Codes of faults that only the user can end, for example with another key. The next runs would fail in the same way. */
const UNTIL_CHANGED: ReadonlySet<string> = new Set([
  'worker-missing',
  'unauthorized',
  'payment-required',
  'quota-spent',
  'price-unknown',
]);

/** Why no further run should start after this run. `null`: there is no reason. */
function pausedBy(run: Run): Fault | null {
  const own = run.status === 'failed' && run.fault && UNTIL_CHANGED.has(run.fault.code) ? run.fault : null;
  return blockedBy(run) ?? own;
}

function costOf({ spent: { usd, unpriced, calls } }: Run): CallCost {
  return { usd, unpriced, calls };
}
