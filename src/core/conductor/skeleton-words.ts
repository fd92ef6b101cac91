/**
 * @file The policy's steps in a model's words: the trained policy chooses steps, workers, roles and who sees whom; a language
 * model writes the subtasks for this very question, under a grammar bound to that skeleton where its engine enforces one.
 * Should the model fail twice, the policy's own fixed words stand in.
 */
import { abortError, type Conductor, type PlanPolicy, type PlanRequest } from '../contract';
import type { Parameters } from '../policy';
import { instantConductor } from './instant';
import type { InstantPlan, Refusal } from './instant-plan';
import { createLlmConductor, type LlmConductorOptions } from './llm';
import { planByPolicy } from './policy';
import { withSight } from './sight';

/** The weights in use. */
export interface PolicyInUse {
  readonly parameters: Parameters;
  readonly revision: string;
}

export interface SkeletonWordsOptions extends Omit<LlmConductorOptions, 'fallback' | 'skeleton' | 'policy' | 'score'> {
  readonly weights: PolicyInUse;
}

/** A Conductor of two. Where the policy keeps the answer of an earlier round there is nothing to word, and no model is asked. */
export function createSkeletonWordsConductor({ weights, ...options }: SkeletonWordsOptions): Conductor {
  const { info } = options;
  return {
    info,
    async *propose(request, signal) {
      if (signal.aborted) throw abortError();
      const plan = planned(request, weights.parameters);
      const own = instantConductor(info, () => plan);
      if ('fault' in plan || plan.workflow.steps.length === 0) {
        yield* own.propose(request, signal);
        return;
      }
      const { logProbability, workflow } = plan;
      const likely = logProbability === undefined ? {} : { logProbability };
      const policy: PlanPolicy = { part: 'skeleton', revision: weights.revision, ...likely };
      const model = createLlmConductor({ ...options, policy, skeleton: workflow.steps, fallback: own });
      for await (const event of model.propose(request, signal)) {
        // What is known of the chosen workers stands there whoever words their steps.
        const isPlan = event.type === 'plan-finished' || (event.type === 'plan-candidate' && event.workflow !== null);
        yield isPlan && plan.choices ? { ...event, choices: plan.choices } : event;
      }
    },
  };
}

/** With a question's images in seeing hands, as for any Conductor that plans at once. */
function planned(request: PlanRequest, parameters: Parameters): InstantPlan | Refusal {
  const plan = planByPolicy(request, parameters);
  return 'fault' in plan ? plan : withSight(plan, request);
}
