/** @file The workers of the shown plan, or of the pool, that cannot read the question. The parsers are lazy-loaded. */
import { isReal, type PoolWorker, type Workflow } from '../../core/contract';
import { SAMPLE_QUESTIONS } from '../../core/tasks/samples';

type CanRead = (worker: PoolWorker, question: string, subtask?: string) => boolean;

/** A question, and the workers that would answer it. */
export interface Planned {
  readonly question: string;
  /** The shown plan. `null`: no plan is shown yet. */
  readonly workflow: Workflow | null;
  readonly pool: readonly PoolWorker[];
}

/** Workers in the plan that cannot read their step. Without a plan: all models of the pool, if no model can read the question. */
export function unreadBy({ question, workflow, pool }: Planned, canRead: CanRead): readonly PoolWorker[] {
  if (!workflow) {
    const models = pool.filter((worker) => isReal(worker) || worker.kind === 'simulated');
    return models.some((worker) => canRead(worker, question)) ? [] : models;
  }
  const unread = workflow.steps.flatMap(({ worker, subtask }) => {
    const each = pool[worker];
    return each && !canRead(each, question, subtask) ? [each] : [];
  });
  return unread.filter((worker, index) => unread.indexOf(worker) === index);
}

export class UnreadWorkers {
  workers: readonly PoolWorker[] = $state.raw([]);

  /** Call while a component initializes. @param planned `null`: no run would start */
  constructor(planned: () => Planned | null) {
    $effect(() => {
      const now = planned();
      const isSample = SAMPLE_QUESTIONS.some(({ question }) => question === now?.question);
      if (now === null || isSample || !now.pool.some(({ kind }) => kind === 'simulated')) {
        this.workers = [];
        return;
      }
      let isCurrent = true;
      import('../../core/tasks').then(
        ({ canRead }) => {
          if (isCurrent) this.workers = unreadBy(now, canRead);
        },
        () => undefined,
      );
      return () => {
        isCurrent = false;
      };
    });
  }
}
