/**
 * @file Draws the questions that one worker alone also answers, and the order in which the two answers are shown. Both follow from
 * the seed of the run and the question, so they are fixed before the run and can be checked afterwards.
 */
import { mixSeed, seededRandom } from '../../contract';

/** Whether a question is drawn. @param share the share of questions, 0 to 1 */
export function isDrawn(share: number, seed: number, question: string): boolean {
  return seededRandom(mixSeed(seed, 'pair', question))() < share;
}

/** Whether the Conductor's answer is shown first. It does not depend on the draw, so either order is as frequent. */
export function isConductorFirst(seed: number, question: string): boolean {
  return seededRandom(mixSeed(seed, 'order of a pair', question))() < 0.5;
}
