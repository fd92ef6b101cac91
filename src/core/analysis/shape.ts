/**
 * @file Classifies the shape of a workflow by its access lists and roles: the four classes of `topologyOf`, and finer ones.
 *
 * The first class that applies counts: `one step`, `debate`, `plan-execute`, `verify-refine`, `chain`, `tree`, `fan-in`,
 * `other`. `debate` is the most specific class. After that, the roles count more than the access lists, because a plan and its
 * execution may be a chain or a fan-in. `plan-execute` comes before `verify-refine`, because a plan covers all steps after it,
 * including a check.
 */
import type { Role, Shape } from '../contract';
import { dependenciesOf, topologyOf } from './topology';

interface ShapedStep {
  /** 0-based indexes of the earlier steps that the step sees. */
  readonly access: readonly number[];
}

/**
 * The shape of a workflow. `null` for a workflow without steps. Depends on the access lists and the roles, never on the workers.
 * @param roles the role of each step
 */
export function shapeOf(steps: readonly ShapedStep[], roles: readonly Role[]): Shape | null {
  const topology = topologyOf(steps);
  if (topology === null || topology === 'one step') return topology;
  const behind = dependenciesOf(steps);
  if (isDebate(steps, behind)) return 'debate';
  if (isPlanned(behind, roles)) return 'plan-execute';
  if (isCorrected(steps, behind, roles)) return 'verify-refine';
  if (topology === 'chain') return 'chain';
  return isTree(steps, behind) ? 'tree' : topology;
}

type Dependencies = readonly ReadonlySet<number>[];

/**
 * Whether the last step depends on two steps that do not depend on each other. Both steps must also see the same two earlier
 * steps. These earlier steps must not depend on each other either.
 */
function isDebate(steps: readonly ShapedStep[], behind: Dependencies): boolean {
  const last = behind.at(-1);
  const speakers = steps.flatMap(({ access }, index) => (last?.has(index) ? [{ access, index }] : []));
  return speakers.some(({ access, index }, place) =>
    speakers
      .slice(0, place)
      .some((other) => !behind[index]?.has(other.index) && hasIndependent(behind, common(access, other.access))),
  );
}

function isPlanned(behind: Dependencies, roles: readonly Role[]): boolean {
  return roles[0] === 'plan' && behind.at(-1)?.has(0) === true;
}

/**
 * Whether a step verifies earlier work, and a later step sees this check and refines or solves. The later step must be the last
 * step, or the last step must depend on it.
 */
function isCorrected(steps: readonly ShapedStep[], behind: Dependencies, roles: readonly Role[]): boolean {
  const last = steps.length - 1;
  return steps.some(({ access }, index) => {
    const corrects = index > 0 && (roles[index] === 'refine' || roles[index] === 'solve');
    const isUsed = index === last || behind[last]?.has(index);
    return corrects && isUsed && access.some((at) => roles[at] === 'verify' && (behind[at]?.size ?? 0) > 0);
  });
}

/**
 * Whether a step before the last step sees two steps that do not depend on each other. The last step must see
 * at most one step of each such pair, and it must depend on all other steps.
 */
function isTree(steps: readonly ShapedStep[], behind: Dependencies): boolean {
  const last = steps.length - 1;
  const seen = steps[last]?.access ?? [];
  if ((behind[last]?.size ?? 0) < last) return false;
  return steps.some(
    ({ access }, index) =>
      index < last && hasIndependent(behind, access) && !hasIndependent(behind, common(access, seen)),
  );
}

function common(one: readonly number[], other: readonly number[]): readonly number[] {
  return one.filter((at) => other.includes(at));
}

/** Whether two of these steps do not depend on each other. */
function hasIndependent(behind: Dependencies, steps: readonly number[]): boolean {
  return steps.some((one) => steps.some((other) => other < one && !behind[one]?.has(other)));
}
