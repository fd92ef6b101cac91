/** @file Computes the bars of a `MiniScore` for a workflow that has not run yet. Parallel steps share a column. */
import type { GlyphBar, PoolWorker, Workflow } from '../../../core/contract';
import { levelsOf } from '../../score/parts';

/** Share of a column's width that a bar fills. The rest is the gap before the next bar. */
const FILLED = 0.88;

/** Returns one bar per step. Each worker gets a lane, numbered from 1 in order of first appearance. */
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
