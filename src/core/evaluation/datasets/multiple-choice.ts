/**
 * @file Writes multiple-choice questions with the wording of simple-evals (github.com/openai/simple-evals, MIT), and can
 * shuffle their options.
 */
import { mixSeed, seededRandom, shuffled } from '../../contract';
import { UnfitRow } from './row-fields';

/** The letters of the options. The grader `letter` supports A to J. */
const LETTERS = 'ABCDEFGHIJ';

export interface ChoiceQuestion {
  readonly question: string;
  /** The letter of the right option. */
  readonly reference: string;
}

/**
 * Writes a question with its options.
 * @param right index of the right option
 * @param order seed and task id, which determine how the options are shuffled. `null`: the options keep their order
 * @throws UnfitRow
 */
export function choiceQuestion(
  text: string,
  options: readonly string[],
  right: number,
  order: { readonly seed: number; readonly id: string } | null,
): ChoiceQuestion {
  if (options.length < 2) throw new UnfitRow('A multiple-choice question needs at least two options.');
  if (options.length > LETTERS.length) throw new UnfitRow(`The question has more than ${LETTERS.length} options.`);
  if (!Number.isInteger(right) || right < 0 || right >= options.length) {
    throw new UnfitRow('The right answer is not one of the options.');
  }
  const indexes = options.map((_, index) => index);
  const shown = order === null ? indexes : shuffled(indexes, seededRandom(mixSeed(order.seed, order.id)));
  const letters = LETTERS.slice(0, options.length);
  const lines = shown.map((index, place) => `${letters.charAt(place)}) ${options[index]?.trim()}`);
  return {
    question: `Answer the following multiple choice question. The last line of your response should be of the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of ${letters}. Think step by step before answering.\n\n${text.trim()}\n\n${lines.join('\n')}`,
    reference: letters.charAt(shown.indexOf(right)),
  };
}

/** The index of an option letter. For example, “B”, “(b)” and “B.” give 1. −1: the text is not a letter from A to J. */
export function indexOfLetter(text: string): number {
  const letter = /^\s*\(?([a-jA-J])[).:]?\s*$/.exec(text)?.[1];
  return letter === undefined ? -1 : LETTERS.indexOf(letter.toUpperCase());
}

/** The upper-case letter of an option, from texts such as “B”, “(b)” and “B.”. `null`: the text is none. */
export function letterOf(text: string): string | null {
  return LETTERS[indexOfLetter(text)] ?? null;
}

/** Whether a text contains lettered options, such as `A) red B) blue`. */
export function hasOptions(text: string): boolean {
  // One pattern for both would take quadratic time.
  const start = text.search(/(?:^|[\s(（])A\s?[).:．、）]/);
  return start >= 0 && /[\s(（;,，。]B\s?[).:．、）]/.test(text.slice(start + 2));
}
