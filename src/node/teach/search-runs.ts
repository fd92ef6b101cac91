/**
 * @file Makes the calls of a search for lessons as stored runs. The id of a run is a digest of everything that determines it, so that a
 * search that was killed finds its runs again and pays for nothing twice.
 */
import {
  abortError,
  fault,
  FaultError,
  isOver,
  sha256Hex,
  type EvaluationTask,
  type PoolWorker,
  type Run,
} from '../../core/contract';
import { batchConductor } from '../../core/evaluation/batches/batch-conductor';
import type { UnitGrader } from '../../core/evaluation/batches/grading';
import { feedbackOn } from '../../core/lessons/feedback';
import type { NeededRun } from '../../core/lessons/next-step';
import { drawnPool, runSeed } from '../../core/lessons/pool-draw';
import { reflectionMessages } from '../../core/lessons/reflection';
import type { SearchCalls } from '../../core/lessons/search';
import type { CallCost, SearchPlan } from '../../core/lessons/search-events';
import type { NewRun } from '../../core/runs';
import type { Engine } from '../engine';

export interface SearchRunsOptions {
  readonly engine: Engine;
  readonly plan: SearchPlan;
  readonly tasks: ReadonlyMap<string, EvaluationTask>;
  readonly grader: UnitGrader;
  /** The worker that reflects. */
  readonly reflector: PoolWorker;
  readonly showsReference: boolean;
}

/** After this many runs in a row without a verdict, the search stops instead of paying for more of them. */
const MOST_FAILURES = 8;

export function searchRuns({ engine, plan, tasks, grader, reflector, showsReference }: SearchRunsOptions): SearchCalls {
  let failures = 0;
  return {
    async grade({ lessons, task: id, isTraced }: NeededRun, signal) {
      const task = tasks.get(id);
      if (!task)
        throw new FaultError(fault('question-unreadable', `The task ${id} is missing. Use the same tasks as before.`));
      const run = await endedRun(engine, requestFor(engine, plan, task, lessons), signal);
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
      const messages = reflectionMessages(state, { iteration, parent, pool: engine.pool.workers });
      const question = messages.map(({ content }) => content).join('\n\n');
      const id = idOf(plan, 'reflection', iteration.number, question);
      const workflow = {
        steps: [{ worker: 0, subtask: 'Write the lessons in the form that the task asks for.', access: [] }],
      };
      const request = engine.request(question, { id, plan: workflow, seed: runSeed(plan.seed, id) });
      const run = await endedRun(engine, { ...request, pool: [reflector] }, signal);
      if (run.answer === null) {
        throw new FaultError(
          run.fault ?? fault('nothing-to-grade', `${reflector.name} gave no answer to the reflection.`),
        );
      }
      return { text: run.answer, ...costOf(run) };
    },
  };
}

function requestFor(engine: Engine, plan: SearchPlan, task: EvaluationTask, lessons: readonly string[]): NewRun {
  const id = idOf(plan, 'run', task.id, lessons.join('\n'));
  const request = engine.request(task.question, { id, seed: runSeed(plan.seed, task.id) });
  const { lessons: _current, ...prompt } = request.prompt ?? {};
  return {
    ...request,
    pool: drawnPool(engine.pool.workers, plan.seed, task.id),
    // A plan of another Conductor would say nothing about the lessons.
    conductor: batchConductor(request.conductor, {}),
    // Earlier runs would change what the prompt says of the workers while the search goes on.
    planHistory: { history: [] },
    prompt: lessons.length === 0 ? prompt : { ...prompt, lessons },
  };
}

function idOf(plan: SearchPlan, ...parts: readonly (string | number)[]): string {
  return sha256Hex(JSON.stringify([plan.id, ...parts])).slice(0, 32);
}

/** The run once it has ended. If it is stored, it is read or resumed. Rejects with an `AbortError` on abort. */
async function endedRun(
  { runs }: Engine,
  request: NewRun & { readonly id?: string },
  signal: AbortSignal,
): Promise<Run> {
  const stored = request.id === undefined ? null : ((await runs.open(request.id))?.run ?? null);
  if (stored && isOver(stored.status) && stored.status !== 'interrupted' && stored.status !== 'cancelled')
    return stored;
  signal.throwIfAborted();
  const live = stored ? await runs.resumeAs(stored.id, request) : await runs.start(request);
  const stop = () => live.stop();
  signal.addEventListener('abort', stop);
  try {
    const run = await live.done;
    if (live.notice) throw new FaultError(live.notice);
    if (signal.aborted) throw abortError();
    return run;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function costOf({ spent: { usd, unpriced, calls } }: Run): CallCost {
  return { usd, unpriced, calls };
}
