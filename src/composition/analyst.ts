/** @file Composes the service that compares answers: by a worker, whose calls count toward the daily budget, or by tests. */
import type { EvaluationDesk } from '../app/services';
import { loadOnce, type WorkerDirectory } from '../core/contract';
import { hasTests } from '../core/graders/tested-programs';
import { compareAnswers, compareByTests, type AnswerAnalyst } from '../core/runs/compare-answers';
import type { Runs } from '../core/runs/runs';
import { systemClock } from '../platform/clock';
import { judgeUnderBudget } from './evaluation/judge';
import type { StorageParts } from './storage';

interface AnalystParts {
  readonly runs: Pick<Runs, 'addComparison'>;
  readonly workers: WorkerDirectory;
  readonly evaluation: () => Promise<Pick<EvaluationDesk, 'datasets'>>;
}

export function createAnalyst(
  { locks, spending }: Pick<StorageParts, 'locks' | 'spending'>,
  { runs, workers, evaluation }: AnalystParts,
): AnswerAnalyst {
  const parts = { workers, locks, spending, clock: systemClock, newId: () => crypto.randomUUID() };
  const graderParts = loadOnce(async () => {
    const { createGraderParts } = await import('./evaluation/grader-parts');
    return createGraderParts(parts)(null);
  }, 'the graders');
  return {
    compare: (request, signal) =>
      compareAnswers(request, { runs, judge: judgeUnderBudget(request.worker, parts) }, signal),
    async testedTask({ dataset, task: id }) {
      const [task] = await (await evaluation()).datasets.tasks(dataset, [id]);
      return task && hasTests(task) ? task : null;
    },
    compareByTests: async (request, signal) => compareByTests(request, { runs, parts: await graderParts() }, signal),
  };
}
