/**
 * @file Finds simulated workers that can't answer, because the question is not a puzzle. Lazy-loads the
 * puzzle parsers.
 */
import { isReal, type PoolWorker, type Workflow } from '../../core/contract';
import { SAMPLE_QUESTIONS } from '../../core/tasks/samples';

type CanRead = (worker: PoolWorker, question: string, subtask?: string) => boolean;

/** A question, with the plan and the pool of a possible run. */
export interface Planned {
  readonly question: string;
  /** The shown plan. `null`: no plan is shown yet. */
  readonly workflow: Workflow | null;
  readonly pool: readonly PoolWorker[];
}

/**
 * The simulated workers of the plan that can't solve their step, because neither the question nor the step's
 * subtask is a puzzle. If there is no plan and no worker of the pool can answer the question, returns all
 * simulated workers of the pool.
 */
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
  readonly #planned: () => Planned | null;

  /**
   * Call while a component initializes.
   * @param planned returns `null` while there is nothing to check, e.g. while a run is shown
   */
  constructor(planned: () => Planned | null) {
    this.#planned = planned;
    $effect(() => {
      let isCurrent = true;
      void this.find().then((workers) => {
        if (isCurrent) this.workers = workers;
      });
      return () => {
        isCurrent = false;
      };
    });
  }

  /** Checks the question now. If the puzzle parsers can't be loaded, no worker is found. */
  find(): Promise<readonly PoolWorker[]> {
    const now = this.#planned();
    const isSample = SAMPLE_QUESTIONS.some(({ question }) => question === now?.question);
    if (now === null || isSample || !now.pool.some(({ kind }) => kind === 'simulated')) return Promise.resolve([]);
    return import('../../core/tasks').then(
      ({ canRead }) => unreadBy(now, canRead),
      () => [],
    );
  }
}
