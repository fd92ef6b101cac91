/** @file The result of a Conductor that needs no language model: a complete plan, or a fault. */
import type { Fault, PlanProblem, StepChoice, Workflow } from '../contract';

/** A plan with a sentence that explains it. */
export interface InstantPlan {
  readonly workflow: Workflow;
  readonly thought: string;
  /** Why each step has its worker. Absent: unknown. */
  readonly choices?: readonly StepChoice[];
  /**
   * Natural logarithm of the plan's probability under the trained policy. Absent: unknown, or the plan is not
   * by the policy.
   */
  readonly logProbability?: number;
}

/** Why there is no plan. */
export interface Refusal {
  readonly fault: Fault;
  readonly problem: PlanProblem | null;
}
