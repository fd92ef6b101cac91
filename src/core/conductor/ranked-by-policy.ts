/**
 * @file Combines a language model with the policy. The model writes several whole workflows, and the trained policy ranks them.
 * The highest-ranked workflow runs, unless the user sees the ranks and chooses.
 *
 * Workflows are ranked by the mean log-probability of the choices in a skeleton, not by the sum. A sum falls with every choice,
 * so it favours short workflows. This is known from translation, where scores are divided by length for that reason (Wu et al.
 * 2016, arXiv 1609.08144, section 7; Murray and Chiang 2018, arXiv 1808.10006). The two rules were measured on 1,500 simulated
 * questions, each with four workflows of common shapes and random workers. The best workflow by sum was right in 56 %, the best
 * by mean in 61 %, and a random workflow in 60 %. The standard error of the difference between sum and mean is 0.9 points. With
 * random workflows that follow the policy's grammar, the shares were 49 % (sum), 52 % (mean) and 47 % (random). In the two
 * measurements, the sum chose workflows with fewer calls than the mean: 2.6 instead of 3.5, and 1.7 instead of 2.7.
 */
import { roleOf } from '../analysis';
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
 * Creates the Conductor. The request sets the number of workflows. A single workflow is used without ranking. Workflows whose
 * skeleton the policy could never write rank last. If the policy could write none of the workflows, a vote chooses.
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
        // A finished plan gets choices only if its rank decided. A plan is unranked if it is the only one, if a vote chose it,
        // or if it was requested after all others failed.
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
