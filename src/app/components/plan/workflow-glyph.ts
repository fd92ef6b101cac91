/** @file A workflow that did not run as a small score: steps that may play at the same time stand above each other. */
import type { GlyphBar, PoolWorker, Workflow } from '../../../core/contract';
import { levelsOf } from '../score/parts';

/** The part of its column that a step takes, so that one step can be told from the next. */
const FILLED = 0.88;

/** Lanes in the order in which the workers first play. */
export function glyphOfWorkflow({ steps }: Workflow, pool: readonly PoolWorker[]): GlyphBar[] {
  const levels = levelsOf(steps);
  const columns = Math.max(1, ...levels.map((level) => level + 1));
  const lanes = new Map<number, number>();
  return steps.map(({ worker }, index) => {
    const lane = lanes.get(worker) ?? lanes.size + 1;
    lanes.set(worker, lane);
    const level = levels[index] ?? 0;
    const colour = pool[worker]?.colour ?? 0;
    return { lane, colour, start: level / columns, end: (level + FILLED) / columns };
  });
}
