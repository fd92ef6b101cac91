/** @file Conductors: question and pool in, plan events out. */
export { BY_HAND_INFO, createByHandConductor } from './by-hand';
export { endpointEngine } from './endpoint';
export { endpointConductorInfo } from './endpoint-info';
export { DEFAULT_EXAMPLES, type ConductorExample } from './examples';
export { formatWorkflow } from './format';
export { PLAN_MAX_TOKENS, planBounds, textBounds, worstCaseTokens, type PlanBounds } from './bounds';
export { workflowGrammar } from './grammar';
export { createHeuristicConductor, HEURISTIC_INFO } from './heuristic';
export { lateConductor } from './late';
export { createLlmConductor, type LlmConductorOptions } from './llm';
export { parseWorkflow } from './parse';
export { conductorPrompt, promptSources, type PromptOptions } from './prompt';
export { POLICY_INFO } from './policy-info';
export { DEFAULT_TEMPLATE, SUBTASKS_TEMPLATE, templateProblem, type PromptTemplate } from './prompt-template';
export { createRankedByPolicyConductor } from './ranked-by-policy';
export { createSkeletonWordsConductor, type PolicyInUse } from './skeleton-words';
export { partOfPolicy, RANKED_CANDIDATES, withPolicyInfo } from './with-policy-info';
export { TEMPLATES, type Template } from './templates';
