/**
 * @file Creates the judge of a batch. A judge is a worker that grades answers. The judge's costs count
 * toward the daily budget.
 */
import {
  runLock,
  type Clock,
  type Locks,
  type PoolWorker,
  type Spending,
  type WorkerDirectory,
} from '../../core/contract';
import { DayBudget } from '../../core/executor/day-budget';
import { createJudge } from '../../core/graders/ask-judge';
import type { Judge } from '../../core/graders/judge';

export interface JudgeParts {
  readonly workers: WorkerDirectory;
  readonly locks: Pick<Locks, 'acquire'>;
  readonly spending: Spending;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Creates a judge that reserves money in the daily budget for each request. The judge holds a lock during
 * the request. If this tab closes before the request ends, the browser releases the lock. Another tab then
 * counts the reserved money as spent.
 */
export function judgeUnderBudget(worker: PoolWorker, { workers, locks, spending, clock, newId }: JudgeParts): Judge {
  return {
    name: worker.name,
    async ask(messages, signal, room) {
      const runId = `judge:${newId()}`;
      const release = await locks.acquire(runLock(runId));
      try {
        const day = new DayBudget({ runId, spending, clock, reached: () => undefined });
        return await createJudge({ worker, client: workers(worker), day, clock }).ask(messages, signal, room);
      } finally {
        release?.();
      }
    },
  };
}
