/** @file Computes the bars of a small score for a workflow that has not run yet. Parallel steps are above each other. */
import type { GlyphBar, PoolWorker, Workflow } from '../../../core/contract';
import { levelsOf } from '../score/parts';

/** Share of its column that a step fills. The rest keeps neighbouring steps apart. */
const FILLED = 0.88;

/** The bars of a workflow. Each worker has a lane, numbered from 1 in the order in which the workers first appear. */
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
