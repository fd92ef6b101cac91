/**
 * @file Checks forks and builds the requests that start them. A fork is a new run that reuses the unaffected
 * steps of an earlier run.
 */
import type { ExecuteRequest } from '../executor/request';
import {
  alwaysFollowed,
  chargedBy,
  checkWorkflow,
  fault,
  forkedSteps,
  type Fault,
  type ForkBase,
  type Run,
  type WorkerDirectory,
  type Workflow,
} from '../contract';
import { checkCaps, findMissing } from './new-run';

/** The point where a fork branches off its parent, and the changes of the fork. */
export interface ForkPoint extends ForkBase {
  /** The edited workflow of the round in which the fork branches off. Default: the workflow that ran. */
  readonly workflow?: Workflow;
  /** Ids of workers to add to the pool. They follow the run's own workers, in this order. */
  readonly joining?: readonly string[];
  /** Whether the Conductor plans the round again. If it does, none of the round's steps are reused. */
  readonly replan?: boolean;
}

/** Why a run can't be forked at this point, or `null` if it can. @param start the settings with which the fork would start */
export function checkFork(
  run: Run,
  point: ForkPoint,
  start: ExecuteRequest['start'],
  { directory, dayUsd }: { readonly directory: WorkerDirectory; readonly dayUsd: number | null },
): Fault | null {
  const { round, step, workflow } = point;
  if (point.replan) return checkReplan(run, round, start, { directory, dayUsd });
  const planned = workflow ?? run.rounds[round]?.plan?.workflow;
  if (!planned || !run.rounds[round]) return fault('plan-invalid', 'That round has no workflow to fork from.');
  const { pool, maxSteps, recursion, caps } = start;
  const problem = checkWorkflow(planned, { poolSize: pool.length, maxSteps, recursion, allowEmpty: round > 0 });
  if (problem) return fault('plan-invalid', problem.message);
  if (step < 0 || step >= Math.max(1, planned.steps.length)) {
    return fault('plan-invalid', `That workflow has no step ${step + 1}.`);
  }
  const steps = forkedSteps(run, point, planned, pool);
  const called = planned.steps.flatMap(({ worker }, index) =>
    steps[index]?.kind === 'called' ? (pool[worker] ?? []) : [],
  );
  if (called.length === 0 && !alwaysFollowed(start, round)) return fault('plan-invalid', NOTHING_CALLED);
  return checkCaps(caps, called, dayUsd) ?? findMissing(called, directory);
}

const NOTHING_CALLED = 'Every step would be reused. Change a step, or select one to run again.';

function checkReplan(
  run: Run,
  round: number,
  { pool, caps, conductor }: ExecuteRequest['start'],
  { directory, dayUsd }: { readonly directory: WorkerDirectory; readonly dayUsd: number | null },
): Fault | null {
  if (!run.rounds[round]) return fault('plan-invalid', 'That round does not exist.');
  if (conductor.kind === 'by-hand')
    return fault('plan-invalid', 'This plan was written by hand. Edit its steps instead.');
  const workers = pool.filter(({ kind }) => kind !== 'conductor');
  return checkCaps(caps, [chargedBy(conductor), ...workers], dayUsd) ?? findMissing(workers, directory);
}

/**
 * Builds the request for `execute`. If the user wants another answer from an unchanged step, or another plan, the
 * fork gets a new seed, because the old seed would lead to the same result. In all other cases, the fork keeps the
 * seed of the run.
 * @param continued the settings with which the fork starts, from the current setup
 */
export function forkOf(
  run: Run,
  point: ForkPoint,
  continued: ExecuteRequest['start'],
  newSeed: () => number,
): Omit<ExecuteRequest, 'runId'> {
  const { round, step } = point;
  const planned = point.workflow ?? run.rounds[round]?.plan?.workflow ?? { steps: [] };
  const repeated = forkedSteps(run, point, planned, continued.pool).flatMap((each, index) =>
    each.kind === 'called' && each.because === 'again' ? [run.rounds[round]?.steps[index]] : [],
  );
  const seed = repeated.length > 0 || point.replan ? newSeed() : run.seed;
  const { skipSettled, alone: _drawn, ...others } = continued;
  return {
    start: {
      ...others,
      // The user wants a settled step to be called.
      ...(skipSettled && !repeated.some((step) => step?.settled) ? { skipSettled } : {}),
      seed,
      parent: { runId: run.id, round, step },
      ...(run.isConfidential ? { isConfidential: true } : {}),
    },
    prior: { kind: 'fork', run, ...point },
  };
}
