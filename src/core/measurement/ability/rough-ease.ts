/**
 * @file Estimates how easy a family is for a worker, quickly and roughly: with one slope for all families, and without lapses.
 * Good enough to choose levels. Abilities come from `fit-abilities.ts`.
 */
import type { Cells } from './cells';
import { distance, logistic } from './curve';

/** The slope of all families, in log-odds a level. */
export const ROUGH_SLOPE = 0.85;
/** The inverse variances of the effects. */
const PRECISION = { worker: 1.5, domain: 6, family: 2, pair: 6 };
const SWEEPS = 2;

/** The log-odds of a right answer at the middle level of a family. */
export function roughEase(cells: Cells): (worker: number, family: number) => number {
  const { workers, families, domains, domainOf } = cells;
  const groups = [
    { of: (worker: number) => worker, size: workers.length, precision: PRECISION.worker },
    { of: (_: number, family: number) => family, size: families.length, precision: PRECISION.family },
    {
      of: (worker: number, family: number) => worker * domains.length + (domainOf[family] ?? 0),
      size: workers.length * domains.length,
      precision: PRECISION.domain,
    },
    {
      of: (worker: number, family: number) => worker * families.length + family,
      size: workers.length * families.length,
      precision: PRECISION.pair,
    },
  ];
  const ease = new Float64Array(workers.length * families.length);
  const effects = groups.map(({ size }) => new Float64Array(size));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    groups.forEach(({ of, size, precision }, index) => {
      const own = effects[index] ?? new Float64Array(size);
      const weight = new Float64Array(size).fill(precision);
      const pull = own.map((effect) => -precision * effect);
      forEachPair(cells, (worker, family, pair, start, levels) => {
        const effect = of(worker, family);
        for (let level = 0; level < levels; level++) {
          const tasks = cells.tasks[start + level] ?? 0;
          if (tasks === 0) continue;
          const chance = logistic((ease[pair] ?? 0) - ROUGH_SLOPE * distance(level, levels));
          pull[effect] = (pull[effect] ?? 0) + (cells.right[start + level] ?? 0) - tasks * chance;
          weight[effect] = (weight[effect] ?? 0) + tasks * chance * (1 - chance);
        }
      });
      const change = pull.map((value, effect) => value / (weight[effect] ?? 0));
      change.forEach((value, effect) => (own[effect] = (own[effect] ?? 0) + value));
      forEachPair(cells, (worker, family, pair) => {
        ease[pair] = (ease[pair] ?? 0) + (change[of(worker, family)] ?? 0);
      });
    });
  }
  return (worker, family) => ease[worker * families.length + family] ?? 0;
}

function forEachPair(
  { workers, families, levels: most }: Cells,
  visit: (worker: number, family: number, pair: number, start: number, levels: number) => void,
): void {
  for (let worker = 0; worker < workers.length; worker++) {
    families.forEach(({ levels }, family) => {
      const pair = worker * families.length + family;
      visit(worker, family, pair, pair * most, levels);
    });
  }
}
