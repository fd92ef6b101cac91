/**
 * @file Combines the policy with a language model. The trained policy chooses steps, workers, roles and access, and the model
 * writes the subtasks for the question. If the model's engine enforces grammars, the grammar fixes the policy's choices. If the
 * model fails, the subtasks are the policy's fixed wordings.
 */
import { abortError, type Conductor, type PlanPolicy, type PlanRequest } from '../contract';
import type { Parameters } from '../policy/parameters';
import { instantConductor } from './instant';
import type { InstantPlan, Refusal } from './instant-plan';
import { createLlmConductor, type LlmConductorOptions } from './llm';
import { planByPolicy } from './policy';
import { withSight } from './sight';

/** The weights of the trained policy in use, and the revision that identifies them. */
export interface PolicyInUse {
  readonly parameters: Parameters;
  readonly revision: string;
}

export interface SkeletonWordsOptions extends Omit<LlmConductorOptions, 'fallback' | 'skeleton' | 'policy' | 'score'> {
  readonly weights: PolicyInUse;
}

/** Creates the Conductor. If the policy keeps the answer of an earlier round, the model is not called. */
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
        // The policy chose the workers, so the event reports the policy's reasons.
        const isPlan = event.type === 'plan-finished' || (event.type === 'plan-candidate' && event.workflow !== null);
        yield isPlan && plan.choices ? { ...event, choices: plan.choices } : event;
      }
    },
  };
}

/** The policy's plan, in which steps that need the attached images go to workers that can see images. */
function planned(request: PlanRequest, parameters: Parameters): InstantPlan | Refusal {
  const plan = planByPolicy(request, parameters);
  return 'fault' in plan ? plan : withSight(plan, request);
}
