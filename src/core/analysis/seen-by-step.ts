/** @file Lists what a step may see besides the question: earlier steps of its round, and the earlier rounds. */
import type { Step } from '../contract';

/**
 * The numbers of the steps in `access`, and then "earlier rounds" if the step sees them. Empty if the step
 * sees only the question.
 * @param first the number of the first step of the round
 */
export function seenByStep(
  { access, seesEarlier }: Pick<Step, 'access' | 'seesEarlier'>,
  first = 1,
): (number | string)[] {
  return [...access.map((index) => first + index), ...(seesEarlier ? ['earlier rounds'] : [])];
}
