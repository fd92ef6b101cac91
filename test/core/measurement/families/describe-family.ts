/** @file The tests that every family of measured tasks has to pass. */
import { describe, expect, test } from 'vitest';
import { mixSeed, seededRandom } from '../../../../src/core/contract';
import { measured, type Definition } from '../../../../src/core/measurement/families/definition';
import type { MeasuredTask } from '../../../../src/core/measurement/families/family';

/** The number of items of a family, spread over its levels. */
const ITEMS = 2_000;
/** The simulated worker fails at each elementary step with this probability, and never guesses. */
const SLIP = 0.02;

interface Item<Puzzle> {
  readonly puzzle: Puzzle;
  readonly task: MeasuredTask;
}

/** Ways in which models write a final answer. */
const WORDINGS: readonly ((answer: string) => string)[] = [
  (answer) => `Answer: ${answer}`,
  (answer) => `First I count.\n\n**Answer:** ${answer}`,
  (answer) => `Step 1: 12 + 7 = 19.\nStep 2: so 20 of them.\n\nAnswer: **${answer}**.`,
  (answer) => `### Final answer\n\nAnswer: \`${answer}\``,
  (answer) => `Answer: 1\n\nWait, I made a mistake there.\n\nFinal Answer: ${answer}\n`,
  (answer) => `The rest follows.\n\nAnswer:\n${answer}`,
  (answer) => `answer: ${answer}\n\nLet me know if you want to see each of the 14 steps.`,
  (answer) => `So it is done.\n<answer>${answer}</answer>`,
  (answer) => `Answer: $\\boxed{${answer}}$`,
];

/**
 * Tests a family on 2,000 items.
 * @param solveAgain solves a puzzle in another way than the family itself. The answer may have any correct form.
 */
export function describeFamily<Puzzle, Size>(
  definition: Definition<Puzzle, Size>,
  solveAgain: (puzzle: Puzzle, task: MeasuredTask) => string,
): void {
  describe(definition.label, () => {
    const family = measured(definition);
    const levels = definition.sizes.map((_, level) => itemsOf(definition, level));
    const items = levels.flat();

    test('has 2,000 items', () => {
      expect(items.length).toBeGreaterThanOrEqual(ITEMS);
    });

    test('has the answer that a second way of solving finds', () => {
      const wrong = items.filter(({ puzzle, task }) => {
        return !family.check(task, `Answer: ${solveAgain(puzzle, task)}`).correct;
      });
      expect(wrong.slice(0, 3).map(({ puzzle, task }) => [task, solveAgain(puzzle, task)])).toEqual([]);
    });

    test('reads the right answer in several wordings', () => {
      const misread = items.flatMap(({ task }, index) => {
        const wording = WORDINGS[index % WORDINGS.length];
        const text = wording?.(task.reference) ?? '';
        return family.check(task, text).correct ? [] : [text];
      });
      expect(misread).toEqual([]);
    });

    test('judges its wrong answers as wrong', () => {
      const random = seededRandom(5);
      const accepted = items.filter(({ task }) => {
        const wrong = family.wrongAnswer(task, random);
        return wrong.trim() === '' || family.check(task, `Answer: ${wrong}`).correct;
      });
      expect(accepted).toEqual([]);
      const [first] = items;
      expect(first && family.check(first.task, '').correct).toBe(false);
      expect(first && family.check(first.task, 'I do not know.').correct).toBe(false);
    });

    test('has no answer that is right for a tenth of the puzzles of a level', () => {
      const shares = levels.map((each) => mostFrequent(each.map(({ task }) => task.reference)) / each.length);
      expect(shares.filter((share) => share >= 0.1)).toEqual([]);
    });

    test('repeats hardly any puzzle', () => {
      const repeated = levels.map((each) => 1 - new Set(each.map(({ task }) => task.key)).size / each.length);
      // Only conversions of numbers with four digits have few puzzles at this level.
      expect(repeated[0]).toBeLessThan(0.1);
      expect(Math.max(...repeated.slice(1))).toBeLessThan(0.01);
    });

    test('asks questions that are short enough, and complete', () => {
      expect(Math.max(...items.map(({ task }) => task.question.length))).toBeLessThan(6_000);
      expect(items.filter(({ task }) => /undefined|NaN|\[object|null/.test(task.question))).toEqual([]);
    });

    test('gets harder by at least 8 points a level for a worker that slips at 2 % of the steps', () => {
      const accuracies = levels.map(
        (each) => each.reduce((sum, { puzzle }) => sum + (1 - SLIP) ** definition.steps(puzzle), 0) / each.length,
      );
      const falls = accuracies.slice(1).map((accuracy, index) => (accuracies[index] ?? 0) - accuracy);
      // The six levels in the middle. Above and below them, this worker is nearly always right or wrong.
      expect(Math.min(...falls.slice(1, 6)), accuracies.map((each) => each.toFixed(2)).join(' ')).toBeGreaterThan(0.08);
      expect(Math.min(...falls), accuracies.map((each) => each.toFixed(2)).join(' ')).toBeGreaterThan(0.03);
    });
  });
}

function itemsOf<Puzzle, Size>(definition: Definition<Puzzle, Size>, level: number): Item<Puzzle>[] {
  const puzzles: Puzzle[] = [];
  const draw: typeof definition.draw = (random, size) => {
    const puzzle = definition.draw(random, size);
    puzzles.push(puzzle);
    return puzzle;
  };
  const family = measured({ ...definition, draw });
  const tasks = Array.from({ length: Math.ceil(ITEMS / definition.sizes.length) }, (_, index) =>
    family.generate(seededRandom(mixSeed(definition.id, level, index)), level),
  );
  return puzzles.flatMap((puzzle, index) => {
    const task = tasks[index];
    return task ? [{ puzzle, task }] : [];
  });
}

function mostFrequent(answers: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return Math.max(...counts.values());
}
