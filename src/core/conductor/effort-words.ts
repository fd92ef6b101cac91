/** @file The sentences about effort in the prompt of a Conductor that is a language model. */
import type { Effort } from '../contract';

/** The advice that follows the step limit in the prompt. `thorough` adds no advice. */
export const EFFORT_ADVICE: Readonly<Record<Effort, string>> = {
  quick: ' Use as few steps as the question needs: one, unless the answer has to be checked.',
  balanced: ' Use as few steps as the question needs: one for plain recall.',
  thorough: '',
};
