/** @file What a Conductor without a model returns: a whole plan, or why there is none. */
import type { Fault, PlanProblem, StepChoice, Workflow } from '../contract';

/** A plan, and in one sentence why it is this one. */
export interface InstantPlan {
  readonly workflow: Workflow;
  readonly thought: string;
  /** Why each step went to its worker, where that is known. */
  readonly choices?: readonly StepChoice[];
  /** Natural logarithm of its probability under the Conductor's own policy, where it has one. */
  readonly logProbability?: number;
}

/** Why there is no plan. */
export interface Refusal {
  readonly fault: Fault;
  readonly problem: PlanProblem | null;
}
