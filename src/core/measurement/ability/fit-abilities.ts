/**
 * @file Computes each worker's ability from graded tasks. Ability is the share of right answers on a fixed mix of tasks: in a
 * domain each family has the same weight, in a family each level. Overall, each domain has the same weight. So abilities can be
 * compared, although workers get tasks of different levels.
 */
import { countCells, type Cells } from './cells';
import { drawAbilities } from './draw-abilities';
import { type FamilyFacts, type Observation, type TaskDomain } from './observation';
import { fitPosterior } from './posterior';

/** No statement is made about a worker in a domain with fewer tasks. */
export const LEAST_TASKS = 10;
/** `low` and `high` leave out this share of the posterior on each side. */
const TAIL = 0.05;

/** An estimated ability, from 0 to 1. */
export interface Ability {
  readonly mean: number;
  /** The bounds of the 90 % interval. */
  readonly low: number;
  readonly high: number;
  /** Number of tasks that the worker answered. */
  readonly tasks: number;
}

export interface WorkerAbility {
  readonly worker: string;
  /** All domains that have families, with equal weight. */
  readonly overall: Ability;
  /** Domains with at least `LEAST_TASKS` tasks. */
  readonly domains: Readonly<Partial<Record<TaskDomain, Ability>>>;
}

/** A domain, or all domains. */
export type Scope = TaskDomain | 'overall';

/** Abilities, and what comparisons need. Can be posted to and from a Web Worker. */
export interface Fitted {
  /** In the order of the workers' first observations. */
  readonly abilities: readonly WorkerAbility[];
  /**
   * Draws from the joint posterior of all abilities, by worker: draw i of all workers belongs together. A domain is missing if the
   * worker has too few tasks in it.
   */
  readonly draws: ReadonlyMap<string, Readonly<Partial<Record<Scope, Float64Array>>>>;
}

/**
 * Takes about 50 ms for 5 workers with 150 tasks each. The same observations give the same result.
 * @param families all families that belong to the mix, also those without observations
 */
export function fitAbilities(observations: readonly Observation[], families: readonly FamilyFacts[]): Fitted {
  const cells = countCells(observations, families);
  if (cells.workers.length === 0 || families.length === 0) return { abilities: [], draws: new Map() };
  const drawn = drawAbilities(cells, fitPosterior(cells));
  const draws = new Map<string, Partial<Record<Scope, Float64Array>>>();
  const abilities = cells.workers.map((worker, index): WorkerAbility => {
    const counts = taskCounts(cells, index);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const inDomains = drawn[index] ?? [];
    const overall = meanOf(inDomains);
    const kept: Partial<Record<Scope, Float64Array>> = { overall };
    const domains: Partial<Record<TaskDomain, Ability>> = {};
    cells.domains.forEach((domain, place) => {
      const tasks = counts[place] ?? 0;
      if (tasks < LEAST_TASKS) return;
      const values = inDomains[place] ?? overall;
      kept[domain] = values;
      domains[domain] = summary(values, tasks);
    });
    draws.set(worker, kept);
    return { worker, overall: summary(overall, total), domains };
  });
  return { abilities, draws };
}

function taskCounts(cells: Cells, worker: number): number[] {
  const counts = cells.domains.map(() => 0);
  cells.families.forEach(({ levels }, family) => {
    const start = (worker * cells.families.length + family) * cells.levels;
    const domain = cells.domainOf[family] ?? 0;
    for (let level = 0; level < levels; level++)
      counts[domain] = (counts[domain] ?? 0) + (cells.tasks[start + level] ?? 0);
  });
  return counts;
}

/** The mean of several rows of draws, draw by draw. */
function meanOf(rows: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array()] = rows;
  return first.map((_, draw) => rows.reduce((sum, row) => sum + (row[draw] ?? 0), 0) / rows.length);
}

function summary(values: Float64Array, tasks: number): Ability {
  const sorted = values.toSorted();
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, low: quantile(TAIL), high: quantile(1 - TAIL), tasks };
}
