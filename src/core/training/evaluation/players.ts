/** @file Simulates the plans that the policy or the built-in rules write for an item: a puzzle and a pool of workers. */
import { planByRole } from '../../conductor/heuristic';
import { wordSkeleton } from '../../conductor/policy';
import type { Effort, Step } from '../../contract';
import { planGreedily } from '../../policy/network';
import { policyInput } from '../../policy/features';
import type { Parameters } from '../../policy/parameters';
import { playRound, playSecondRound, secondRoundRequest, type Item, type RoundResult } from '../environment/items';
import type { Settling } from '../environment/question-simulator';

export type PlayResult = Omit<RoundResult, 'outputs'>;

/**
 * Simulates the policy's plan with the most likely option at every choice. Also simulates a second round if
 * the plan requests one.
 */
export function playPolicy(item: Item, parameters: Parameters, settling: Settling = 'skipped'): PlayResult {
  const { skeleton } = planGreedily(parameters, item.input);
  const steps = wordSkeleton(skeleton, item.input.rows);
  const first = playRound(item, steps, 0, settling);
  if (skeleton.at(-1)?.move !== null) return first;
  const next = planGreedily(parameters, policyInput(secondRoundRequest(item, steps, first)));
  const second = playSecondRound(item, first, next.skeleton);
  return { ...second, calls: first.calls + second.calls };
}

/**
 * Simulates the plan that the built-in rules write.
 * @param effort `thorough`: five steps. `balanced`: three
 */
export function playHeuristic(item: Item, effort: Effort = 'thorough', settling: Settling = 'skipped'): PlayResult {
  const planned = planByRole({ ...item.request, effort });
  const steps: readonly Step[] = 'workflow' in planned ? planned.workflow.steps : [];
  return playRound(item, steps, 0, settling);
}
