/** @file The reward of one run and of many, in words. Wherever a mean of it stands, steps per workflow stand beside it. */
import { rewardOfSummary, type Reward, type RunSummary } from '../../../core/contract';
import { plural } from '../figures';

/** What a reward says: form and correctness apart. */
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

/** From so many graded runs on, one step each is worth a word. */
const ENOUGH = 10;
/** Steps per workflow at or below which the plans have lost their steps. */
const COLLAPSED = 1.1;

/**
 * "12 graded: mean reward 0.79, valid plans 100 %, right 58 %, 4.6 steps a workflow."; `''` where none is.
 * A Conductor that learns may fall back to one step and one worker while the reward rises through form alone, so it is said.
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
    `${steps.toFixed(1)} steps a workflow`,
  ];
  const warning =
    graded.length >= ENOUGH && steps <= COLLAPSED ? ' Nearly all have one step: no worker checks another.' : '';
  return `${parts.join(', ')}.${warning}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
