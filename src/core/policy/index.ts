/** @file The coordination policy: what it sees, what it may say, and its network in plain arrays. */
export { policyInput, QUESTION_FEATURES, WORKER_FEATURES, type PolicyInput } from './features';
export {
  givesAnswer,
  isGrammatical,
  MOVES,
  needsAnswer,
  ROLE_OF_MOVE,
  STEPS,
  type Move,
  type Skeleton,
  type SkeletonLimits,
  type SkeletonStep,
} from './moves';
