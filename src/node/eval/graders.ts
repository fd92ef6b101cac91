/**
 * @file Creates the graders of the command line. Answers that are programs run in the same sandbox
 * as in the page. The sandbox needs an installed Chromium or Chrome.
 */
import {
  fault,
  GRADERS,
  type CodeRunner,
  type EvaluationTask,
  type PoolWorker,
  type WorkerDirectory,
} from '../../core/contract';
import type { UnitGraders } from '../../core/evaluation/batches/grading';
import { privateTestsOpener } from '../../core/evaluation/datasets/private-tests';
import { createJudge } from '../../core/graders/ask-judge';
import { checkGradable, graderFor } from '../../core/graders/grader-for';
import type { GraderParts } from '../../core/graders/grader-parts';
import type { Judge } from '../../core/graders/judge';
import { systemClock } from '../../platform/clock';
import { inflateBase64 } from '../../platform/datasets/inflate';

/**
 * @param workers finds the client for a worker that judges answers
 * @param programs runs programs. `null`: tasks whose answers are programs can't be graded
 */
export function createGraders(workers: WorkerDirectory, programs: CodeRunner | null): UnitGraders {
  const judges = new Map<string, Judge>();
  const judgeOf = (worker: PoolWorker): Judge => {
    const judge =
      judges.get(worker.id) ?? createJudge({ worker, client: workers(worker), day: null, clock: systemClock });
    judges.set(worker.id, judge);
    return judge;
  };
  const shared: GraderParts = programs
    ? { runCode: programs, openPrivateTests: privateTestsOpener(inflateBase64) }
    : {};
  return {
    graderFor: (kind, profile, judge, room) =>
      graderFor(kind, profile, {
        ...shared,
        ...(judge ? { judge: judgeOf(judge) } : {}),
        ...(room ? { judgeRoom: room } : {}),
      }),
    // Called before a task's run, so that no money is spent on answers that can't be graded.
    checkGradable: (task, _judge, signal) =>
      isProgram(task) && !programs ? Promise.resolve(NO_BROWSER) : checkGradable(task, shared, signal),
  };
}

/** Whether the answers of a task are programs. */
export function isProgram({ grader }: Pick<EvaluationTask, 'grader'>): boolean {
  return GRADERS[grader].by === 'sandbox';
}

/** The reason why programs can’t be graded without a browser. */
export const NO_BROWSER = fault(
  'not-gradable',
  'Programs run in the sandbox of Chromium, and no Chromium or Chrome was found. Install one, or give its path as “browser” in podium.config.json.',
);
