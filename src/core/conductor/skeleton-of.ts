/**
 * @file Converts a workflow to a skeleton, the form in which the trained policy plans. A skeleton has the worker of each step
 * as a row of the policy's input, and the step's role as a move. With the skeleton, the policy can compute the probability of
 * a workflow that it did not write.
 */
import { roleOf } from '../analysis';
import type { CandidateScore, PlanRequest, Role, Step, Workflow } from '../contract';
import {
  isGrammatical,
  logProbabilityOf,
  needsAnswer,
  givesAnswer,
  policyInput,
  type Move,
  type Parameters,
  type PolicyInput,
  type Skeleton,
  type SkeletonStep,
} from '../policy';

type ReadSkeleton =
  | { readonly ok: true; readonly skeleton: Skeleton }
  /** `reason`: why the policy could never write the workflow, as a sentence. */
  | { readonly ok: false; readonly reason: string };

/** Matches a solver's subtask that requests another approach. */
const ANOTHER_WAY =
  /\b(?:an)?other (?:way|approach|method|route|technique)|\b(?:different|alternative) (?:way|approach|method|route|technique|angle)|\bdifferently\b/i;

/** Infers each step's move from its role or its words, and checks the skeleton against the policy's grammar. */
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

/** Why a step of the Conductor is invalid. Such a step may only be the last one, directly after an answer. */
function conductorReason(skeleton: Skeleton, index: number): string {
  if (index === 0) return 'The Conductor comes before there is an answer.';
  if (index < skeleton.length - 1) return 'There are steps after the Conductor.';
  return 'The step before the Conductor gives no answer.';
}

/**
 * The number of choices in a skeleton, as the policy's decoder makes them: for each step a worker, a move and one bit for
 * each earlier step. If the move always sees the latest answer, there is no bit for that answer. The Conductor's own step is
 * a single choice. If more steps were allowed, stopping is one more choice.
 */
export function choicesOf(skeleton: Skeleton, maxSteps: number): number {
  let choices = 0;
  for (const [index, { move }] of skeleton.entries()) {
    if (move === null) return choices + 1;
    choices += 2 + index - (needsAnswer(move) ? 1 : 0);
  }
  return choices + (skeleton.length < maxSteps ? 1 : 0);
}

/** Returns a function that scores workflows written for this request by their log-probability under the policy. */
export function scorer(request: PlanRequest, parameters: Parameters): (workflow: Workflow) => CandidateScore {
  // A language model wrote the workflows. Whatever the effort, a step of theirs may repair an answer that no step has
  // checked. The policy's grammar allows this only at the effort `thorough`, so that effort is used here.
  const input = policyInput({ ...request, effort: 'thorough' });
  return (workflow) => {
    const read = skeletonOf(workflow, input);
    if (!read.ok) return { logProbability: null, choices: 0, reason: read.reason };
    const { skeleton } = read;
    const logProbability = logProbabilityOf(parameters, input, skeleton);
    return { logProbability, choices: choicesOf(skeleton, input.limits.maxSteps) };
  };
}
