/**
 * @file Combines a language model with the policy. The model writes several whole workflows, and the trained
 * policy ranks them. The highest-ranked workflow runs. If the user wants to choose, the page shows the ranks
 * and waits.
 *
 * The skeleton of a workflow is its workers, roles and access lists, without the subtasks. Workflows are
 * ranked by the mean log-probability that the policy gives to the choices in the skeleton. The sum of the
 * log-probabilities would favor short workflows, because it falls with every choice. Translation systems
 * divide scores by length for the same reason (Wu et al. 2016, arXiv 1609.08144, section 7; Murray and Chiang
 * 2018, arXiv 1808.10006).
 *
 * Two measurements compared three ways to choose a workflow: by the highest mean, by the highest sum, and at
 * random. Each measurement used 1,500 simulated questions with four workflows for each question.
 * - Workflows of common shapes with random workers: 61 % (mean), 56 % (sum) and 60 % (random) of the
 *   answers were right. The standard error of the difference between mean and sum is 0.9 points. The
 *   average number of calls was 3.5 (mean) and 2.6 (sum).
 * - Random workflows that the policy could have written: 52 % (mean), 49 % (sum) and 47 % (random) of the
 *   answers were right. The average number of calls was 2.7 (mean) and 1.7 (sum).
 */
import { roleOf } from '../analysis/roles';
import {
  abortError,
  type Conductor,
  type PlanPolicy,
  type PlanRequest,
  type StepChoice,
  type Workflow,
} from '../contract';
import { createLlmConductor, type LlmConductorOptions } from './llm';
import { choiceOf } from './ranking';
import { scorer } from './skeleton-of';
import type { PolicyInUse } from './skeleton-words';

export interface RankedByPolicyOptions extends Omit<LlmConductorOptions, 'skeleton' | 'policy' | 'score'> {
  readonly weights: PolicyInUse;
}

/**
 * Creates the Conductor. The request sets the number of workflows. A single workflow is used without ranking. A workflow ranks
 * last if the policy could never write its skeleton. If the policy could write none of the workflows, a vote chooses one with the
 * most frequent skeleton (see `contract/workflow/vote.ts`).
 */
export function createRankedByPolicyConductor({ weights, ...options }: RankedByPolicyOptions): Conductor {
  const policy: PlanPolicy = { part: 'ranking', revision: weights.revision };
  return {
    info: options.info,
    async *propose(request, signal) {
      if (signal.aborted) throw abortError();
      const score = scorer(request, weights.parameters);
      const model = createLlmConductor({ ...options, policy, score });
      let isRanked = false;
      for await (const event of model.propose(request, signal)) {
        if (event.type === 'plan-chosen') isRanked = event.by !== 'vote';
        const hasChoices = event.type === 'plan-candidate' || (event.type === 'plan-finished' && isRanked);
        // `choices` is the evidence for each worker. A finished plan gets `choices` only if the policy's ranking
        // chose the plan.
        yield hasChoices && event.workflow ? { ...event, choices: choicesOf(request, event.workflow) } : event;
      }
    },
  };
}

/** For each step, the evidence about the worker that the model chose. */
function choicesOf(request: PlanRequest, { steps }: Workflow): StepChoice[] {
  return steps.map(({ worker }, index) => {
    const role = roleOf(steps, index);
    return { by: 'model', role, ...choiceOf(request, worker, role) };
  });
}
