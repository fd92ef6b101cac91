/** @file Describes the reward of a run. */
import type { Reward } from '../../core/contract';

/** Explains a reward: whether the workflow was valid, and whether the answer was right. */
export function rewardMeaning(reward: Reward): string {
  switch (reward) {
    case 0:
      return 'No valid workflow was written.';
    case 0.5:
      return 'A valid workflow, a wrong answer.';
    case 1:
      return 'A valid workflow, a right answer.';
    default:
      return reward satisfies never;
  }
}
