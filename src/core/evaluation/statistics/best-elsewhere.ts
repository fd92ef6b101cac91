/**
 * @file Finds the best single worker for each task, from other tasks. Leaving out only the task itself would not do: if two workers
 * are about equally good, each would be chosen exactly for the tasks that it fails. So a random half of the tasks chooses.
 */
import { partsOf } from '../../conductor/solo';
import { mixSeed, seededRandom, type BatchPlan, type Unit } from '../../contract';
import { meanOf, taskKey } from './score';
import { thinkingSingles } from './single-workers';
import type { TaskTotals } from './task-totals';

/** Number of random halves. Each task uses one of those that it does not belong to. */
const HALVES = 100;

/** A single-worker method, and the id of its worker. */
export interface SingleWorker {
  readonly method: number;
  readonly worker: string;
}

/** What a single worker costs and solves. */
interface SingleTotals extends SingleWorker {
  readonly score: number;
  /** Mean cost of a call in US dollars. `null`: unknown. */
  readonly usd: number | null;
}

interface Half {
  /** The `taskKey` of each task in the half. */
  readonly tasks: ReadonlySet<string>;
  /** The single workers with a verdict on a task of the half. At least one. */
  readonly singles: readonly SingleTotals[];
}

export class BestElsewhere {
  readonly #plan: BatchPlan;
  readonly #halves: readonly Half[];

  /**
   * @param totals sums of each method, by the index of the method
   * @param mostThinking whether to consider the workers that think as much as they can, or the other ones
   */
  constructor(plan: BatchPlan, totals: readonly TaskTotals[], mostThinking = false) {
    this.#plan = plan;
    const methods = thinkingSingles(plan, mostThinking);
    const tasks = plan.datasets.map(({ taskIds }, dataset) => taskIds.map((taskId) => taskKey({ dataset, taskId })));
    this.#halves = Array.from({ length: HALVES }, (_, half) => {
      const random = seededRandom(mixSeed(plan.seed, 'half', half));
      const drawn = tasks.map((keys) => keys.filter(() => random() < 0.5));
      const singles = singlesOn(plan, methods, totals, drawn);
      return singles.length > 0 ? [{ tasks: new Set(drawn.flat()), singles }] : [];
    }).flat();
  }

  /**
   * The single worker with the highest mean score on a random half of the tasks, without this task. The plan's seed determines the
   * half. The mean is over the datasets. In a tie, the first method wins. `null`: no single worker has a verdict on another task.
   */
  on(task: Pick<Unit, 'dataset' | 'taskId'>): SingleWorker | null {
    const singles = this.#singlesFor(task);
    const best = singles.reduce((top, each) => (each.score > (top?.score ?? -1) ? each : top), singles[0]);
    return best ? { method: best.method, worker: best.worker } : null;
  }

  /**
   * The best mix of single workers whose mean cost is this much, judged on the same half: one worker, or two with the probability
   * of the second. A worker that costs less is used alone if no mix is better. `null`: all workers cost more, or a cost is unknown.
   * @param usd US dollars
   */
  mixOn(task: Pick<Unit, 'dataset' | 'taskId'>, usd: number): Mix | null {
    const singles = this.#singlesFor(task);
    let best: (Mix & { readonly score: number }) | null = null;
    for (const one of singles) {
      if (one.usd === null) return null;
      if (one.usd > usd) continue;
      if (one.score > (best?.score ?? -1)) best = { first: one, second: one, share: 0, score: one.score };
      for (const other of singles) {
        if (other.usd === null || other.usd <= usd) continue;
        const share = (usd - one.usd) / (other.usd - one.usd);
        const score = one.score + share * (other.score - one.score);
        if (score > (best?.score ?? -1)) best = { first: one, second: other, share, score };
      }
    }
    return best;
  }

  #singlesFor(task: Pick<Unit, 'dataset' | 'taskId'>): readonly SingleTotals[] {
    const { seed, datasets } = this.#plan;
    const key = taskKey(task);
    const first = mixSeed(seed, datasets[task.dataset]?.revision ?? '', task.taskId, 'best') % HALVES;
    const inTurn = [...this.#halves.slice(first), ...this.#halves.slice(0, first)];
    return inTurn.find(({ tasks }) => !tasks.has(key))?.singles ?? [];
  }
}

/** Two workers, one of which is drawn. */
export interface Mix {
  readonly first: SingleWorker;
  readonly second: SingleWorker;
  /** Probability of the second, from 0 to 1. */
  readonly share: number;
}

/** @param tasks for each dataset, the `taskKey` of each task that counts */
function singlesOn(
  plan: BatchPlan,
  methods: readonly number[],
  totals: readonly TaskTotals[],
  tasks: readonly (readonly string[])[],
): readonly SingleTotals[] {
  return methods.flatMap((method): readonly SingleTotals[] => {
    const { settings } = plan.methods[method] ?? {};
    const worker = settings && (partsOf(settings.conductor.id).worker ?? settings.pool[0]?.id);
    const score = meanOf(tasks.flatMap((keys) => totals[method]?.scoreOn(keys) ?? []));
    if (worker === undefined || score === null) return [];
    return [{ method, worker, score, usd: totals[method]?.usdOn(tasks.flat()) ?? null }];
  });
}
