/** @file Which steps a fork reuses from the run it is forked from. */
import type { PoolWorker } from '../worker/worker';
import type { Workflow } from '../workflow/workflow';
import { sameStep } from './fold-plan';
import type { Run } from './state';

/**
 * The steps that are not called again: those before the fork that ask the same worker for the same, and see only steps that
 * are reused too.
 * @param at the first step that is called again
 * @param workflow the fork's workflow of that round
 * @param pool the fork's pool
 */
export function reusedSteps(
  run: Pick<Run, 'rounds' | 'pool'>,
  at: { readonly round: number; readonly step: number },
  workflow: Workflow,
  pool: readonly PoolWorker[],
): ReadonlySet<number> {
  const reused = new Set<number>();
  for (const { index, step, output } of run.rounds[at.round]?.steps.slice(0, at.step) ?? []) {
    const wanted = workflow.steps[index];
    const isSameWorker = pool[step.worker]?.id === run.pool[step.worker]?.id;
    if (output === null || !wanted || !isSameWorker || !sameStep(step, wanted)) continue;
    if (wanted.access.every((seen) => reused.has(seen))) reused.add(index);
  }
  return reused;
}
