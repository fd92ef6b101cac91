/** @file What a family defines, and how a family of measured tasks is made from it. */
import { canonicalJson, type Random } from '../../contract';
import { finalAnswer, isSameAnswer, nearMiss, type AnswerForm } from './answer';
import type { MeasuredDomain } from '../ability/observation';
import type { MeasuredFamily, MeasuredTask } from './family';

/**
 * A family, with the type of its puzzles. A puzzle is plain data, without its level.
 *
 * The levels of all families are spaced alike. Solving a puzzle of level n by hand takes about 6 · 1.6ⁿ elementary steps, so a
 * worker that makes the same mistakes per step has about the same chance at the same level of each family. Level 7 is about 160
 * steps, which still fits in an answer of 8,192 tokens. How hard the levels are for real models is measured, not assumed.
 */
export interface Definition<Puzzle, Size = number> {
  readonly id: string;
  readonly label: string;
  readonly domain: MeasuredDomain;
  /** The size of the puzzles at each level, from easy to hard. */
  readonly sizes: readonly Size[];
  readonly form: AnswerForm;
  draw(random: Random, size: Size): Puzzle;
  /** The question without the request for the form of the answer. */
  ask(puzzle: Puzzle): string;
  /** What the answer consists of, as in “Answer: …, where … is the number of paths”. */
  readonly answer: string;
  solve(puzzle: Puzzle): string;
  /** The number of elementary steps, such as operations or looked-up facts, that solving it by hand takes. */
  steps(puzzle: Puzzle): number;
}

/** The detail of the verdict on a text that states no answer. */
export const NO_ANSWER = 'No final answer was found in the response.';

/** Hides the type of a family's puzzles. */
export function measured<Puzzle, Size>(definition: Definition<Puzzle, Size>): MeasuredFamily {
  const { id, label, domain, sizes, form } = definition;
  const generate = (random: Random, level: number): MeasuredTask => {
    const size = sizes[level];
    if (size === undefined) throw new RangeError(`${id} has no level ${level}.`);
    const puzzle = definition.draw(random, size);
    return {
      family: id,
      level,
      question: `${definition.ask(puzzle)}\n\nEnd your reply with a line of the form "Answer: …", where … is ${definition.answer}.`,
      reference: definition.solve(puzzle),
      key: `${id} ${canonicalJson(puzzle)}`,
    };
  };
  const isRight = ({ reference }: MeasuredTask, answer: string) => isSameAnswer(form, reference, answer);
  return {
    id,
    label,
    domain,
    levels: sizes.length,
    generate,
    check: (task, text) => {
      const answer = finalAnswer(text, form);
      if (answer === null) return { correct: false, detail: NO_ANSWER };
      return isRight(task, answer)
        ? { correct: true, detail: `The answer ${task.reference} is right.` }
        : { correct: false, detail: `The answer is not the right one, which is ${task.reference}.` };
    },
    wrongAnswer: (task, random) => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const answer = nearMiss(form, task.reference, random);
        if (!isRight(task, answer)) return answer;
      }
      // An answer such as “7, 7” has no neighbours to exchange, so it becomes the answer to another puzzle.
      for (;;) {
        const { reference } = generate(random, task.level);
        if (!isRight(task, reference)) return reference;
      }
    },
  };
}
