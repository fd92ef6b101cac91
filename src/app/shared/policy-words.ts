/** @file Describes what the trained policy and a model each contributed to a plan. */
import { modelLabel } from '../../core/conductor/with-policy-info';
import { rankValue, type CandidateScore, type Plan, type PlanCandidate } from '../../core/contract';

export type Shared = Pick<Plan, 'policy' | 'conductor' | 'source' | 'chosenBy' | 'edited'>;

/**
 * What the policy and the model each contributed to a plan, as a full sentence with the policy's revision. For an edited plan,
 * the sentence is about the plan before the edit. `''` if the policy had no part in the plan.
 */
export function policySentence(plan: Shared): string {
  const words = proposedWords(plan);
  if (words === '') return '';
  return plan.edited ? `As proposed: ${words}.` : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function proposedWords({ policy, conductor, source, chosenBy }: Shared): string {
  if (!policy) return '';
  switch (policy.part) {
    case 'skeleton': {
      const likely = policy.logProbability === undefined ? '' : `, log-probability ${decimal(policy.logProbability)}`;
      const words =
        source === 'fallback'
          ? `words also by the policy, because ${modelLabel(conductor)} failed`
          : `words by ${modelLabel(conductor)}`;
      return `steps, workers and access by the trained policy (${policy.revision}${likely}), ${words}`;
    }
    case 'ranking':
      if (source === 'fallback') return '';
      return chosenBy === 'vote'
        ? `written by ${modelLabel(conductor)}, chosen by vote, because the trained policy (${policy.revision}) couldn’t rank the plans`
        : `written by ${modelLabel(conductor)}, ranked by the trained policy (${policy.revision})`;
    default:
      return policy.part satisfies never;
  }
}

/**
 * How the policy scored a plan: "−0.35 per choice, log-probability −4.21". If the policy could not score the plan, the text gives
 * the reason. `''` if the policy did not rank the plans.
 * @param anyRanked whether any candidate has a score
 */
export function scoreWords(score: CandidateScore | null, anyRanked: boolean): string {
  if (!score) return '';
  const { logProbability, choices, reason = '' } = score;
  if (logProbability === null) return `${anyRanked ? 'ranked last' : 'Not ranked'}: ${reason}`;
  return `${decimal(logProbability / Math.max(1, choices))} per choice, log-probability ${decimal(logProbability)}`;
}

/** The rank of each candidate plan by its score, 1 for the best. `null` for a candidate without a score. */
export function ranksOf(candidates: readonly Pick<PlanCandidate, 'score'>[]): (number | null)[] {
  const values = candidates.map(({ score }) => rankValue(score));
  return values.map((own) =>
    own === null ? null : 1 + values.filter((other) => other !== null && other > own).length,
  );
}

function decimal(value: number): string {
  return value.toFixed(2).replace('-', '−');
}
