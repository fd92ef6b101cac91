/**
 * @file The workflow and its invariants: what a Conductor may plan (arXiv 2512.04388, section 3). In the paper, a workflow is
 * three lists of equal length (`model_id`, `subtasks`, `access_list`). Here it is one list of steps.
 */

/** All roles, in their usual order in a workflow. */
export const ROLES = ['plan', 'solve', 'verify', 'refine', 'aggregate', 'decide'] as const;
/**
 * The purpose of a step. If the Conductor doesn't state the role, Podium detects it from the step's position and wording.
 */
export type Role = (typeof ROLES)[number];

export interface Step {
  /** 0-based index in the run's pool. */
  readonly worker: number;
  /** The instruction for that worker, in plain words. */
  readonly subtask: string;
  /** 0-based indexes of the earlier steps whose subtask and output this step sees, ascending and without duplicates. */
  readonly access: readonly number[];
  /** Whether the step also sees the subtasks and outputs of the earlier rounds. Absent: no. */
  readonly seesEarlier?: boolean;
  readonly role?: Role;
  /** Attempts whose agreement settles the step, if the run skips settled steps. Only templates plan this. Absent: only checks do. */
  readonly agreement?: Agreement;
}

/**
 * Earlier attempts at the task that a step waits for, and when their answers settle it:
 * - `all`: all attempts have the same answer
 * - `sure`: at least three have an answer, and the most frequent answer is the most probable one with a probability of at least 95 %
 *   (adaptive consistency, arXiv 2305.11860)
 * - `most`: the most frequent answer, and of equally frequent answers the one that was given first
 *
 * Answers that can't be compared never settle a step.
 */
export interface Agreement {
  /** 0-based indexes of the attempts, ascending. */
  readonly among: readonly number[];
  readonly rule: (typeof AGREEMENT_RULES)[number];
}
export const AGREEMENT_RULES = ['all', 'sure', 'most'] as const;

/** A workflow without steps means "keep the previous answer". This is only valid after the first round. */
export interface Workflow {
  readonly steps: readonly Step[];
}

/** The maximum number of steps of a Conductor's workflow in the paper (arXiv 2512.04388, section 4.1). */
export const CONDUCTOR_MAX_STEPS = 5;
/** The maximum number of steps of fixed templates, such as Mixture of Agents. */
export const TEMPLATE_MAX_STEPS = 16;

/**
 * Why a Conductor's text or workflow was rejected. The parser reports problems of the text, such as `bad-syntax`.
 * `checkWorkflow` reports problems of the workflow, such as `no-steps`.
 */
export const PLAN_PROBLEM_CODES = [
  'not-found',
  'cut-off',
  'bad-syntax',
  'wrong-type',
  'unequal-lengths',
  'worker-outside-pool',
  'access-self',
  'access-forward',
  'access-outside',
  'too-many-steps',
  'no-steps',
  'empty-subtask',
  'conductor-not-last',
  'too-long',
] as const;
export type PlanProblemCode = (typeof PLAN_PROBLEM_CODES)[number];

/**
 * A reason to reject a Conductor's text or workflow. `message`: a sentence that the user can act on. `at`: the 0-based
 * offset in the text, or the 0-based index of the step in the workflow.
 */
export interface PlanProblem {
  readonly code: PlanProblemCode;
  readonly message: string;
  readonly at: number;
}

/** The limits of a workflow that is checked. */
export interface WorkflowLimits {
  /** Number of workers in the pool. With `recursion`, this includes the Conductor. */
  readonly poolSize: number;
  readonly maxSteps: number;
  /** Whether the workflow may have no steps ("keep the previous answer"). Set only in later rounds. Default: false. */
  readonly allowEmpty?: boolean;
  /**
   * Whether the pool's last entry is the Conductor itself. This entry may only be used in the last step, after at least one other
   * step. Default: false.
   */
  readonly recursion?: boolean;
  /** Whether a step whose access is "all" also sees the earlier rounds. Default: false. */
  readonly showsEarlier?: boolean;
}

/**
 * Checks a workflow against the invariants of the method. Never throws.
 * @returns the first problem in the order of the steps, or `null` if the workflow may run
 */
export function checkWorkflow(workflow: Workflow, limits: WorkflowLimits): PlanProblem | null {
  const { steps } = workflow;
  if (steps.length === 0) {
    return limits.allowEmpty
      ? null
      : { code: 'no-steps', message: 'The workflow has no steps; it needs at least one.', at: 0 };
  }
  if (steps.length > limits.maxSteps) {
    const message = `The workflow has ${steps.length} steps; at most ${limits.maxSteps} are allowed.`;
    return { code: 'too-many-steps', message, at: limits.maxSteps };
  }
  for (const [index, step] of steps.entries()) {
    const problem = checkStep(step, index, steps.length, limits);
    if (problem) return problem;
  }
  return null;
}

function checkStep(step: Step, index: number, count: number, limits: WorkflowLimits): PlanProblem | null {
  const name = `Step ${index + 1}`;
  if (!Number.isInteger(step.worker) || step.worker < 0 || step.worker >= limits.poolSize) {
    const range = limits.poolSize === 1 ? 'only 0 exists' : `the pool has 0 to ${limits.poolSize - 1}`;
    return { code: 'worker-outside-pool', message: `${name} names worker ${step.worker}, but ${range}.`, at: index };
  }
  if (limits.recursion && step.worker === limits.poolSize - 1 && (index !== count - 1 || index === 0)) {
    const message = `${name} names the Conductor itself, which may only stand last, after at least one other step.`;
    return { code: 'conductor-not-last', message, at: index };
  }
  if (step.subtask.trim() === '') {
    return { code: 'empty-subtask', message: `${name} has no instruction.`, at: index };
  }
  const awaited = step.agreement?.among.find((other) => other >= index);
  if (awaited !== undefined) {
    return { code: 'access-forward', message: `${name} waits for step ${awaited + 1}, which comes later.`, at: index };
  }
  for (const [place, seen] of step.access.entries()) {
    if (!Number.isInteger(seen) || seen < 0 || seen >= count) {
      return {
        code: 'access-outside',
        message: `${name} asks to see step ${seen + 1}, which does not exist.`,
        at: index,
      };
    }
    if (seen === index) return { code: 'access-self', message: `${name} asks to see itself.`, at: index };
    if (seen > index)
      return { code: 'access-forward', message: `${name} asks to see step ${seen + 1}, which comes later.`, at: index };
    if (seen <= (step.access[place - 1] ?? -1)) {
      const message = `${name} names a step it sees twice or out of order; name each once, the earliest first.`;
      return { code: 'wrong-type', message, at: index };
    }
  }
  return null;
}
