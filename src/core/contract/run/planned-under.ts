/**
 * @file The settings under which a round was planned. A resumed run continues with the user's current settings. But its existing
 * plans are validated against the settings under which they were written.
 */
import { checkWorkflow, TEMPLATE_MAX_STEPS, type Workflow, type WorkflowLimits } from '../workflow/workflow';
import { showsEarlierRounds } from '../workflow/plan-request';
import { settingsOf, type RunSettings } from './settings';
import type { Plan, Round, Run } from './state';

/** The settings under which a round was planned. If the round has no plan yet, the run's current settings. */
export function settingsOfRound(run: Run, round: number): RunSettings {
  const plan = run.rounds[round]?.plan;
  return plan ? { ...settingsOf(run), ...plan.plannedUnder } : settingsOf(run);
}

/** The limits for validating a stored plan. An imported plan may state any step limit, so `TEMPLATE_MAX_STEPS` caps the limit. */
export function limitsOfPlan(run: Run, round: number, { plannedUnder }: Plan): WorkflowLimits {
  const maxSteps = Math.min(plannedUnder.maxSteps, TEMPLATE_MAX_STEPS);
  const { pool, recursion } = run;
  const showsEarlier = showsEarlierRounds(run, round);
  return { poolSize: pool.length, maxSteps, recursion, allowEmpty: round > 0, showsEarlier };
}

/**
 * The plan that a resumed run keeps for a round. `null`: the plan is unfinished or invalid, so the Conductor plans the round
 * again.
 */
export function resumablePlan(run: Run, { round, plan }: Round): Workflow | null {
  if (plan?.status !== 'finished' || !plan.workflow) return null;
  return checkWorkflow(plan.workflow, limitsOfPlan(run, round, plan)) === null ? plan.workflow : null;
}
