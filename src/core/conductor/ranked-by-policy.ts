/**
 * @file Combines a language model with the policy. The model writes several whole workflows, and the trained policy ranks them.
 * The highest-ranked workflow runs. If the user asked to choose, the page shows the ranks and waits.
 *
 * The skeleton of a workflow consists of its workers, roles and access lists, without the subtasks. A workflow is ranked by the
 * mean log-probability that the policy gives to the choices in its skeleton. The sum of the log-probabilities falls with every
 * choice, so ranking by sum would favour short workflows. This is known from translation, where scores are divided by length for
 * that reason (Wu et al. 2016, arXiv 1609.08144, section 7; Murray and Chiang 2018, arXiv 1808.10006). Ranking by sum and ranking
 * by mean were compared on 1,500 simulated questions, each with four workflows that have common shapes and randomly assigned
 * workers. The best workflow by sum was right in 56 %, the best by mean in 61 %, and a random workflow in 60 %. The standard error
 * of the difference between sum and mean is 0.9 points. With random workflows that the policy could have written, the shares were
 * 49 % (sum), 52 % (mean) and 47 % (random). The workflows ranked highest by sum had fewer calls than those ranked highest by
 * mean: 2.6 against 3.5 in the first measurement, and 1.7 against 2.7 in the second.
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
 * Creates the Conductor. The request sets the number of workflows. A single workflow is used without ranking. A workflow ranks
 * last if the policy could never have written its skeleton. If this applies to all workflows, the most frequent skeleton is
 * chosen: see `workflow/vote.ts`.
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
        // The finished plan gets `choices`, the evidence for each worker, only if it was chosen by rank. A plan is unranked if it
        // is the only one, if a vote chose it, or if it was requested after all others failed.
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
