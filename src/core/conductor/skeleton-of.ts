/**
 * @file Converts a language model's workflow to a skeleton, so that the trained policy can compute the
 * workflow's probability. The policy plans in this form. In a step of a skeleton, `row` is the worker's row
 * in the policy's input, `move` is the kind of step, and `access` lists the earlier steps that the step sees.
 */
import { roleOf } from '../analysis/roles';
import type { CandidateScore, PlanRequest, Role, Step, Workflow } from '../contract';
import { isGrammatical, needsAnswer, givesAnswer, type Move, type Skeleton, type SkeletonStep } from '../policy/moves';
import { logProbabilityOf } from '../policy/network';
import { policyInput, type PolicyInput } from '../policy/features';
import type { Parameters } from '../policy/parameters';

type ReadSkeleton =
  | { readonly ok: true; readonly skeleton: Skeleton }
  /** `reason`: why the policy could never write the workflow, as a sentence. */
  | { readonly ok: false; readonly reason: string };

/** Matches a subtask that requests another approach. */
const ANOTHER_WAY =
  /\b(?:an)?other (?:way|approach|method|route|technique)|\b(?:different|alternative) (?:way|approach|method|route|technique|angle)|\bdifferently\b/i;

/** Infers the move of each step from its role or its subtask. Checks the skeleton against the policy's grammar. */
export function skeletonOf({ steps }: Workflow, { rows, limits }: Pick<PolicyInput, 'rows' | 'limits'>): ReadSkeleton {
  const skeleton: SkeletonStep[] = [];
  for (const [index, { worker, access }] of steps.entries()) {
    const row = rows.indexOf(worker);
    if (row < 0) return { ok: false, reason: `Step ${index + 1} goes to a worker that the policy gives no steps.` };
    const move = row === limits.conductor ? null : moveOf(steps, index);
    skeleton.push({ row, move, access });
  }
  if (isGrammatical(skeleton, limits)) return { ok: true, skeleton };
  return { ok: false, reason: reasonOf(skeleton, limits.maxSteps) };
}

function moveOf(steps: readonly Step[], index: number): Move {
  const role: Role = roleOf(steps, index);
  return role === 'solve' && ANOTHER_WAY.test(steps[index]?.subtask ?? '') ? 'solveAnotherWay' : role;
}

/** The first violated rule of the grammar, as a sentence. */
function reasonOf(skeleton: Skeleton, maxSteps: number): string {
  if (skeleton.length === 0) return 'The workflow has no steps, and there is no earlier answer to keep.';
  if (skeleton.length > maxSteps) return `The policy writes at most ${maxSteps} steps.`;
  let latest = -1;
  for (const [index, { move, access }] of skeleton.entries()) {
    if (move === null) return conductorReason(skeleton, index);
    if (needsAnswer(move) && latest < 0) return `Step ${index + 1} works on an answer before there is one.`;
    if (needsAnswer(move) && !access.includes(latest))
      return `Step ${index + 1} works on earlier answers and does not see the latest.`;
    if (givesAnswer(move)) latest = index;
  }
  return 'The last step gives no answer.';
}

/** Why a step that names the Conductor is invalid. Such a step must come last, directly after a step that gives an answer. */
function conductorReason(skeleton: Skeleton, index: number): string {
  if (index === 0) return 'The Conductor comes before there is an answer.';
  if (index < skeleton.length - 1) return 'There are steps after the Conductor.';
  return 'The step before the Conductor gives no answer.';
}

/**
 * The number of choices that the policy's decoder makes for a skeleton. For each step, the decoder chooses a
 * worker and a move. The decoder also chooses for each earlier step whether the new step sees it. A move that
 * needs an answer always sees the latest answer, which saves one choice. A step that names the Conductor is a
 * single choice. If the skeleton has fewer steps than `maxSteps` and does not end with the Conductor,
 * stopping is one more choice.
 */
export function choicesOf(skeleton: Skeleton, maxSteps: number): number {
  let choices = 0;
  for (const [index, { move }] of skeleton.entries()) {
    if (move === null) return choices + 1;
    choices += 2 + index - (needsAnswer(move) ? 1 : 0);
  }
  return choices + (skeleton.length < maxSteps ? 1 : 0);
}

/** Returns a function that computes the log-probability of a workflow for this request under the policy. */
export function scorer(request: PlanRequest, parameters: Parameters): (workflow: Workflow) => CandidateScore {
  // In a language model's workflow, a step may repair an answer that no step has checked. The policy's grammar allows this
  // only at the effort `thorough`, so workflows are scored at this effort.
  const input = policyInput({ ...request, effort: 'thorough' });
  return (workflow) => {
    const read = skeletonOf(workflow, input);
    if (!read.ok) return { logProbability: null, choices: 0, reason: read.reason };
    const { skeleton } = read;
    const logProbability = logProbabilityOf(parameters, input, skeleton);
    return { logProbability, choices: choicesOf(skeleton, input.limits.maxSteps) };
  };
}
