/** @file Composes the service that lets a worker compare answers. Its calls count toward the daily budget. */
import type { WorkerDirectory } from '../core/contract';
import { compareAnswers, type AnswerAnalyst } from '../core/runs/compare-answers';
import type { Runs } from '../core/runs';
import { systemClock } from '../platform/clock';
import { judgeUnderBudget } from './evaluation/judge';
import type { StorageParts } from './storage';

export function createAnalyst(
  { locks, spending }: Pick<StorageParts, 'locks' | 'spending'>,
  { runs, workers }: { readonly runs: Pick<Runs, 'addComparison'>; readonly workers: WorkerDirectory },
): AnswerAnalyst {
  const parts = { workers, locks, spending, clock: systemClock, newId: () => crypto.randomUUID() };
  return {
    compare: (request, signal) =>
      compareAnswers(request, { runs, judge: judgeUnderBudget(request.worker, parts) }, signal),
  };
}
