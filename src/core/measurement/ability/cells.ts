/** @file Counts observations by worker, family and level, which is all that the fit needs. */
import { domainsOf, type FamilyFacts, type Observation, type TaskDomain } from './observation';

/** Observations as counts. */
export interface Cells {
  readonly workers: readonly string[];
  readonly families: readonly FamilyFacts[];
  /** The domains that have families, in their usual order. */
  readonly domains: readonly TaskDomain[];
  /** For each family, the index of its domain. */
  readonly domainOf: readonly number[];
  /** The largest number of levels. */
  readonly levels: number;
  /** Number of tasks by worker, family and level. */
  readonly tasks: Float64Array;
  /** Number of right answers by worker, family and level. */
  readonly right: Float64Array;
}

/**
 * Workers keep the order of their first observation.
 * @param first workers that come before the others, also if they have no observations
 */
export function countCells(
  observations: readonly Observation[],
  families: readonly FamilyFacts[],
  first: readonly string[] = [],
): Cells {
  const workers = [...new Set([...first, ...observations.map(({ worker }) => worker)])];
  const domains = domainsOf(families);
  const levels = Math.max(1, ...families.map((family) => family.levels));
  const size = workers.length * families.length * levels;
  const [tasks, right] = [new Float64Array(size), new Float64Array(size)];
  const workerIndex = new Map(workers.map((worker, index) => [worker, index]));
  const familyIndex = new Map(families.map(({ id }, index) => [id, index]));
  for (const observation of observations) {
    const family = familyIndex.get(observation.family);
    if (family === undefined || observation.level >= (families[family]?.levels ?? 0)) continue;
    const worker = workerIndex.get(observation.worker) ?? 0;
    const cell = (worker * families.length + family) * levels + observation.level;
    tasks[cell] = (tasks[cell] ?? 0) + 1;
    if (observation.right) right[cell] = (right[cell] ?? 0) + 1;
  }
  const domainOf = families.map(({ domain }) => domains.indexOf(domain));
  return { workers, families, domains, domainOf, levels, tasks, right };
}
