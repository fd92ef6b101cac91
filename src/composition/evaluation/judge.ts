/** @file Composes the judge of a batch: a worker that grades answers. Its costs count towards the daily budget. */
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
 * Makes a judge that reserves money for each question, and holds a lock until the question is answered. If this tab closes first,
 * the lock becomes free. Another tab of Podium then counts the reserved money as spent.
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
