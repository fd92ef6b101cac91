/** @file Generates tasks with puzzles from a seed, so that no file needs to store them. */
import { mixSeed, randomIndex, seededRandom, type EvaluationTask } from '../../../contract';
import { TASK_FAMILIES } from '../../../tasks';
import type { PosedPuzzle } from '../../../tasks/posed';

/**
 * The levels of difficulty, from easy to hard. They divide the difficulty range of each puzzle family into
 * equal parts.
 */
const DIFFICULTIES = ['easy', 'medium', 'hard', 'very hard'] as const;

/** Maximum number of attempts to generate a puzzle that no earlier task has. */
const MOST_DRAWS = 200;

/**
 * Generates tasks, each with a puzzle of a random family and difficulty. The same seed gives the same tasks.
 * A larger `count` adds tasks at the end. No puzzle occurs twice. Throws a `RangeError` if no new puzzle is
 * found.
 */
export function generatedTasks(seed: number, count: number): EvaluationTask[] {
  const draws = Array.from({ length: count }, (_, index): Draw => {
    const random = seededRandom(mixSeed('generated-tasks', seed, index));
    const family = randomIndex(random, TASK_FAMILIES.length);
    const level = randomIndex(random, DIFFICULTIES.length);
    return {
      id: `generated-${seed}-${index + 1}`,
      family,
      level,
      seed: mixSeed('generated-tasks', seed, index, 'puzzle'),
    };
  });
  return drawTasks(draws);
}

/** The puzzles of the practice set. @param each number of puzzles for each family and difficulty */
export function practicePuzzles(seed: number, each: number): EvaluationTask[] {
  const draws = TASK_FAMILIES.flatMap(({ name }, family) =>
    DIFFICULTIES.flatMap((difficulty, level) =>
      Array.from({ length: each }, (_, index): Draw => {
        const number = String(index + 1).padStart(2, '0');
        const id = `practice-${name}-${difficulty.replace(' ', '-')}-${number}`;
        return { id, family, level, seed: mixSeed('practice-puzzles', seed, name, level, index) };
      }),
    ),
  );
  return drawTasks(draws);
}

interface Draw {
  readonly id: string;
  /** Index into `TASK_FAMILIES`. */
  readonly family: number;
  /** Index into `DIFFICULTIES`. */
  readonly level: number;
  readonly seed: number;
}

function drawTasks(draws: readonly Draw[]): EvaluationTask[] {
  const known = new Set<string>();
  return draws.map((draw) => {
    const { puzzle, question } = newPuzzle(draw, known);
    known.add(puzzle.key);
    const group = `${puzzle.family}, ${DIFFICULTIES[draw.level] ?? ''}`;
    return { id: draw.id, question, grader: 'puzzle', domain: 'maths', group };
  });
}

function newPuzzle(draw: Draw, known: ReadonlySet<string>): { puzzle: PosedPuzzle; question: string } {
  const random = seededRandom(draw.seed);
  const family = TASK_FAMILIES[draw.family];
  for (let attempt = 0; family && attempt < MOST_DRAWS; attempt++) {
    const puzzle = family.generate(random, (draw.level + random()) / DIFFICULTIES.length);
    const question = puzzle.writeQuestion(random);
    if (!known.has(puzzle.key)) return { puzzle, question };
  }
  throw new RangeError('No new puzzle was found.');
}
