/** @file How many steps a worker gets that votes with itself at the cost of another method. Apart from the template, which plans them. */
import { TEMPLATE_MAX_STEPS, type Random } from '../contract';

/** Maximum number of answers in a vote: an odd number that leaves a step for the choice. */
export const MOST_ANSWERS = TEMPLATE_MAX_STEPS - 1;

/**
 * The step limit, see `templates/vote.ts`. Votes have an odd number of answers, drawn so that its mean is `calls`. Below three
 * calls, the draw is between one answer, and one that is checked and repaired.
 * @param calls the number of calls that the cost of the other method buys
 * @returns `null` if it buys less than one call
 */
export function drawnSteps(calls: number, random: Random): number | null {
  if (calls < 1) return null;
  if (calls >= MOST_ANSWERS) return MOST_ANSWERS + 1;
  const low = 2 * Math.floor((calls - 1) / 2) + 1;
  const answers = random() < (calls - low) / 2 ? low + 2 : low;
  return calls < 3 ? answers : answers + 1;
}
