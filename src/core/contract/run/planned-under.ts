/**
 * @file The settings that a round was planned under. A run that is resumed continues with the user's current settings, and what
 * it has planned by then is still read by the old ones.
 */
import { checkWorkflow, TEMPLATE_MAX_STEPS, type Workflow, type WorkflowLimits } from '../workflow/workflow';
import { settingsOf, type RunSettings } from './settings';
import type { Plan, Round, Run } from './state';

/** The run's settings as they were when a round was planned; its current ones where nothing is planned yet. */
export function settingsOfRound(run: Run, round: number): RunSettings {
  const plan = run.rounds[round]?.plan;
  return plan ? { ...settingsOf(run), ...plan.plannedUnder } : settingsOf(run);
}

/** What a plan of the record may look like. It may come from a file, so it never has more steps than the page offers. */
export function limitsOfPlan(run: Run, round: number, { plannedUnder }: Plan): WorkflowLimits {
  const maxSteps = Math.min(plannedUnder.maxSteps, TEMPLATE_MAX_STEPS);
  return { poolSize: run.pool.length, maxSteps, recursion: run.recursion, allowEmpty: round > 0 };
}

/** The finished plan that a resumed run keeps; `null`: there is none that may run, so the Conductor is asked. */
export function standingPlan(run: Run, { round, plan }: Round): Workflow | null {
  if (plan?.status !== 'finished' || !plan.workflow) return null;
  return checkWorkflow(plan.workflow, limitsOfPlan(run, round, plan)) === null ? plan.workflow : null;
}
