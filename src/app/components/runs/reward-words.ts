/** @file Words for the reward of one or many runs. A mean reward always comes with the steps per workflow. */
import { rewardOfSummary, type Reward, type RunSummary } from '../../../core/contract';
import { percent, plural } from '../figures';

/** What a reward means, for form and for correctness. */
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

/** Number of graded runs from which a warning about single steps is meaningful. */
const ENOUGH = 10;
/** Steps per workflow at or below which nearly all plans have a single step. */
const COLLAPSED = 1.1;

/**
 * "12 graded: mean reward 0.79, valid plans 100 %, right 58 %, 4.6 steps per workflow."; `''` where none is.
 * A learning Conductor may collapse to one step and one worker while the reward rises through form alone, so this warns.
 */
export function gradedLine(summaries: readonly RunSummary[]): string {
  const graded = summaries.flatMap((summary) => {
    const reward = rewardOfSummary(summary);
    return reward === null ? [] : [{ reward, steps: summary.steps / Math.max(1, summary.rounds) }];
  });
  if (graded.length === 0) return '';
  const mean = (value: (each: (typeof graded)[number]) => number) =>
    graded.reduce((sum, each) => sum + value(each), 0) / graded.length;
  const steps = mean((each) => each.steps);
  const parts = [
    `${plural(graded.length, 'graded run')}: mean reward ${mean(({ reward }) => reward).toFixed(2)}`,
    `valid plans ${percent(mean(({ reward }) => (reward > 0 ? 1 : 0)))}`,
    `right ${percent(mean(({ reward }) => (reward === 1 ? 1 : 0)))}`,
    `${steps.toFixed(1)} steps per workflow`,
  ];
  const warning =
    graded.length >= ENOUGH && steps <= COLLAPSED ? ' Nearly all have one step: no worker checks another.' : '';
  return `${parts.join(', ')}.${warning}`;
}
