/**
 * @file Finds the best single worker for each task, from other tasks. Leaving out only the task itself would not do: if two workers
 * are about equally good, each would be chosen exactly for the tasks that it fails. So a random half of the tasks chooses.
 */
import { partsOf } from '../../conductor/solo';
import { mixSeed, seededRandom, type BatchPlan, type Unit } from '../../contract';
import { meanOf, taskKey } from './score';
import { singleWorkers } from './single-workers';
import type { TaskTotals } from './task-totals';

/** Number of random halves. Each task uses one of those that it does not belong to. */
const HALVES = 100;

/** A single-worker method, and the id of its worker. */
export interface SingleWorker {
  readonly method: number;
  readonly worker: string;
}

interface Half {
  /** The `taskKey` of each task in the half. */
  readonly tasks: ReadonlySet<string>;
  readonly best: SingleWorker;
}

export class BestElsewhere {
  readonly #plan: BatchPlan;
  readonly #halves: readonly Half[];

  /** @param totals sums of each method, by the index of the method */
  constructor(plan: BatchPlan, totals: readonly TaskTotals[]) {
    this.#plan = plan;
    const tasks = plan.datasets.map(({ taskIds }, dataset) => taskIds.map((taskId) => taskKey({ dataset, taskId })));
    this.#halves = Array.from({ length: HALVES }, (_, half) => {
      const random = seededRandom(mixSeed(plan.seed, 'half', half));
      const drawn = tasks.map((keys) => keys.filter(() => random() < 0.5));
      const best = bestOn(plan, totals, drawn);
      return best ? [{ tasks: new Set(drawn.flat()), best }] : [];
    }).flat();
  }

  /**
   * The single worker with the highest mean score on a random half of the tasks, without this task. The plan's seed determines the
   * half. The mean is over the datasets. In a tie, the first method wins. `null`: no single worker has a verdict on another task.
   */
  on(task: Pick<Unit, 'dataset' | 'taskId'>): SingleWorker | null {
    const { seed, datasets } = this.#plan;
    const key = taskKey(task);
    const first = mixSeed(seed, datasets[task.dataset]?.revision ?? '', task.taskId, 'best') % HALVES;
    const inTurn = [...this.#halves.slice(first), ...this.#halves.slice(0, first)];
    return inTurn.find(({ tasks }) => !tasks.has(key))?.best ?? null;
  }
}

/** @param tasks for each dataset, the `taskKey` of each task that counts */
function bestOn(
  plan: BatchPlan,
  totals: readonly TaskTotals[],
  tasks: readonly (readonly string[])[],
): SingleWorker | null {
  let best: (SingleWorker & { readonly score: number }) | null = null;
  for (const method of singleWorkers(plan)) {
    const { settings } = plan.methods[method] ?? {};
    const worker = settings && (partsOf(settings.conductor.id).worker ?? settings.pool[0]?.id);
    const score = meanOf(tasks.flatMap((keys) => totals[method]?.scoreOn(keys) ?? []));
    if (worker !== undefined && score !== null && score > (best?.score ?? -1)) best = { method, worker, score };
  }
  return best && { method: best.method, worker: best.worker };
}
