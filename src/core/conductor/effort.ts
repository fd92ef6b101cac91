/**
 * @file Applies an effort level to a Conductor: limits the steps of its plans, and decides whether a run may have another round.
 */
import {
  EFFORT_LEVELS,
  stepLimit,
  TEMPLATE_MAX_STEPS,
  type ConductorInfo,
  type Effort,
  type Planner,
  type PoolWorker,
} from '../contract';
import { partOfPolicy } from './with-policy-info';

/** Which kind of planner chooses the number of steps. `null`: a template or the user chooses it, so effort doesn't apply. */
function plannerOf({ id, kind }: ConductorInfo): Planner | null {
  switch (kind) {
    case 'policy':
      return 'policy';
    case 'heuristic':
      return 'rules';
    case 'endpoint':
    case 'webllm':
    case 'browser':
    case 'transformers':
      return partOfPolicy(id)?.part === 'skeleton' ? 'policy' : 'model';
    case 'template':
    case 'by-hand':
      return null;
    default:
      return kind satisfies never;
  }
}

/** Whether effort applies to this Conductor. */
export function followsEffort(conductor: ConductorInfo): boolean {
  return plannerOf(conductor) !== null;
}

/** The effort of a run: `wanted`, or `thorough` if effort doesn't apply to the Conductor. */
export function effortFor(conductor: ConductorInfo, wanted: Effort): Effort {
  return followsEffort(conductor) ? wanted : 'thorough';
}

/** Maximum number of steps in a plan of this Conductor with these workers. */
export function maxStepsFor(conductor: ConductorInfo, effort: Effort, pool: readonly PoolWorker[]): number {
  const planner = plannerOf(conductor);
  return planner === null ? TEMPLATE_MAX_STEPS : stepLimit(planner, effort, pool);
}

/**
 * Whether a run allows another round.
 * @param isOn whether the user has turned recursion on
 */
export function recursionFor(conductor: ConductorInfo, effort: Effort, isOn: boolean): boolean {
  const planner = plannerOf(conductor);
  // The built-in rules never request another round, so no effort turns recursion on for them.
  return isOn || (planner !== null && planner !== 'rules' && EFFORT_LEVELS[effort].recursion);
}
