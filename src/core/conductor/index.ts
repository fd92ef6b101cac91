/** @file The exports of this folder. Conductors convert a question and a pool to plan events. */
export { BY_HAND_INFO, createByHandConductor } from './by-hand';
export { formatWorkflow } from './format';
export { createHeuristicConductor, HEURISTIC_INFO } from './heuristic';
export { lateConductor } from './late';
export { parseWorkflow } from './parse';
export { conductorPrompt, promptSources } from './prompt';
export { POLICY_INFO } from './policy-info';
export { createRankedByPolicyConductor } from './ranked-by-policy';
export { createSkeletonWordsConductor } from './skeleton-words';
export { partOfPolicy, RANKED_CANDIDATES, withPolicyInfo } from './with-policy-info';
export { TEMPLATES } from './templates';
