/** @file The policy: its input, the rules for its plans, and its network. */
export { policyInput, QUESTION_FEATURES, withoutDescriptions, WORKER_FEATURES, type PolicyInput } from './features';
export {
  givesAnswer,
  isGrammatical,
  MOVES,
  needsAnswer,
  ROLE_OF_MOVE,
  STEPS,
  type Move,
  type Skeleton,
  type SkeletonStep,
} from './moves';
export {
  DEFAULT_SIZE,
  forEachParameter,
  initialParameters,
  PARAMETER_NAMES,
  type NetworkSize,
  type ParameterName,
  type Parameters,
} from './parameters';
export { drawPlan, logProbabilityOf, planGreedily, type Planned } from './network';
export { parseCheckpoint, readCheckpoint, writeCheckpoint, type Checkpoint } from './checkpoint';
