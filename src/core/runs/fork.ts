/**
 * @file Forks: a new run that takes over everything before one step of an earlier one.
 */
import type { ExecuteRequest } from '../executor/request';
import { checkWorkflow, fault, type Fault, type Run, type WorkerDirectory, type Workflow } from '../contract';
import { checkCaps, findMissing, startOfRun } from './new-run';

/** Where a fork leaves its parent. */
export interface ForkPoint {
  readonly round: number;
  /** The first step that is called anew. */
  readonly step: number;
  /** That round's workflow as a person edited it, else the one that ran. */
  readonly workflow?: Workflow;
}

/** What keeps a run from being forked there, or `null`. */
export function checkFork(run: Run, { round, step, workflow }: ForkPoint, directory: WorkerDirectory): Fault | null {
  const planned = workflow ?? run.rounds[round]?.plan?.workflow;
  if (!planned || !run.rounds[round]) return fault('plan-invalid', 'That round has no workflow to go on from.');
  const { pool, maxSteps, recursion, caps } = run;
  const problem = checkWorkflow(planned, { poolSize: pool.length, maxSteps, recursion, allowEmpty: round > 0 });
  if (problem) return fault('plan-invalid', problem.message);
  if (step < 0 || step >= Math.max(1, planned.steps.length)) {
    return fault('plan-invalid', `That workflow has no step ${step + 1}.`);
  }
  const called = planned.steps.slice(step).flatMap((each) => pool[each.worker] ?? []);
  return checkCaps(caps, called) ?? findMissing(called, directory);
}

/** What `execute` is asked for. An edited workflow keeps the seed, so that only the edit differs. */
export function forkOf(run: Run, point: ForkPoint, newSeed: () => number): Omit<ExecuteRequest, 'runId'> {
  const { round, step } = point;
  const seed = point.workflow ? run.seed : newSeed();
  return {
    start: { ...startOfRun(run), seed, parent: { runId: run.id, round, step } },
    access: run.access,
    prior: { kind: 'fork', run, ...point },
  };
}
