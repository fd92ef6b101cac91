/** @file Decides which steps a fork reuses from the run it was forked from, and why the fork calls the other steps. */
import type { PoolWorker } from '../worker/worker';
import type { Workflow } from '../workflow/workflow';
import { sameStep } from './fold-plan';
import type { Run, StepRun } from './state';

/** The point at which a fork branches off, and the changes there. */
export interface ForkBase {
  readonly round: number;
  /** Index of the step at which the user forked the earlier run. */
  readonly step: number;
  /** Steps to call again even if they are unchanged, as indexes in the fork's workflow. Default: only `step`. */
  readonly again?: readonly number[];
  /**
   * For each step of the fork's workflow, the index of the corresponding step in the earlier run. `null`: the step was added.
   * Default: the same index.
   */
  readonly origins?: readonly (number | null)[];
}

/**
 * Why the fork calls a step.
 * - `added`: the earlier run has no corresponding step
 * - `changed`: the worker, the subtask or the access of the step has changed
 * - `again`: the user wants another answer
 * - `no-output`: the corresponding step has no output
 * - `sees-called`: the step sees a step that the fork calls
 */
export type CallReason = 'added' | 'changed' | 'again' | 'no-output' | 'sees-called';

/** Whether a fork reuses or calls a step. `callsSeen`: indexes of the called steps that this step sees. */
export type ForkedStep =
  | { readonly kind: 'reused'; readonly from: StepRun }
  | { readonly kind: 'called'; readonly because: CallReason; readonly callsSeen: readonly number[] };

/**
 * Decides for each step whether the fork reuses or calls it. A step that follows a changed step can still be
 * reused, if it sees no step that the fork calls.
 * @param workflow the fork's workflow of the round `base.round`
 * @param pool the fork's pool
 */
export function forkedSteps(
  run: Pick<Run, 'rounds' | 'pool'>,
  base: ForkBase,
  workflow: Workflow,
  pool: readonly PoolWorker[],
): readonly ForkedStep[] {
  const before = run.rounds[base.round]?.steps ?? [];
  const again = new Set(base.again ?? [base.step]);
  const originOf = (index: number) => (base.origins ? (base.origins[index] ?? null) : index);
  const steps: ForkedStep[] = [];
  for (const [index, wanted] of workflow.steps.entries()) {
    const from = before[originOf(index) ?? -1];
    const callsSeen = wanted.access.filter((seen) => steps[seen]?.kind === 'called');
    const reason = (): CallReason | null => {
      if (!from) return 'added';
      const isSameWorker = pool[from.step.worker]?.id === run.pool[from.step.worker]?.id;
      const access = wanted.access.map((seen) => originOf(seen) ?? -1);
      if (!isSameWorker || !sameStep(from.step, { ...wanted, access })) return 'changed';
      if (again.has(index)) return 'again';
      if (callsSeen.length > 0) return 'sees-called';
      return from.output === null ? 'no-output' : null;
    };
    const because = reason();
    steps.push(
      because !== null || !from ? { kind: 'called', because: because ?? 'added', callsSeen } : { kind: 'reused', from },
    );
  }
  return steps;
}

/** The steps of the earlier run that the fork reuses, keyed by their index in the fork's workflow. */
export function reusedSteps(
  run: Pick<Run, 'rounds' | 'pool'>,
  base: ForkBase,
  workflow: Workflow,
  pool: readonly PoolWorker[],
): ReadonlyMap<number, StepRun> {
  const steps = forkedSteps(run, base, workflow, pool);
  return new Map(steps.flatMap((step, index) => (step.kind === 'reused' ? [[index, step.from] as const] : [])));
}
