/** @file Tests that the errors of simulated workers are as frequent as their habits say. */
import { describe, expect, it } from 'vitest';
import { SUBTASK } from '../../../../src/core/conductor/wording';
import { seededRandom } from '../../../../src/core/contract';
import { readVerdicts } from '../../../../src/core/contract/workflow/read-verdicts';
import { readPuzzle } from '../../../../src/core/tasks';
import { workAsUsual, type HabitualWorker } from '../../../../src/core/training/environment/habitual-work';
import {
  HELD_OUT_RANGES,
  judgeAnswer,
  profileAt,
  TRAINING_RANGES,
  type Habits,
} from '../../../../src/core/training/environment/habits';
import { drawQuestion } from '../../../../src/core/training/environment/history';
import { drawPool, drawPopulation } from '../../../../src/core/training/environment/population';

const [worker] = drawPopulation(3, 1);
if (!worker) throw new Error('The population is empty.');
const { profile } = worker;
const CAREFUL: Habits = {
  family: 0,
  falseRight: [0, 0],
  falseWrong: 0,
  sharedErrors: 0,
  missingVerdict: 0,
  breaks: 0,
  doubts: 0,
  malformed: 0,
  isVerbose: false,
};
const questions = Array.from({ length: 300 }, (_, index) => drawQuestion('train', 3, index).text);

/** The share of questions on which `of` is true. */
function share(of: (question: string, index: number) => boolean): number {
  return questions.filter(of).length / questions.length;
}

function puzzleOf(question: string) {
  const puzzle = readPuzzle(question);
  if (!puzzle) throw new RangeError('The question is not a puzzle.');
  return puzzle;
}

/** The share of wrong answers that a check calls right. */
function overlooked(habits: Habits, difficulty: number, author?: Habits): number {
  const judged = { id: profile.id, habits };
  return share((question) => judgeAnswer(judged, puzzleOf(question), 'no idea', difficulty, author).right);
}

describe('the checks of workers with habits', () => {
  it('overlook more mistakes on harder questions', () => {
    const habits: Habits = { ...CAREFUL, falseRight: [0.05, 0.35] };
    expect(overlooked(CAREFUL, 1)).toBe(0);
    expect(overlooked(habits, 0)).toBeCloseTo(0.05, 1);
    expect(overlooked(habits, 1)).toBeGreaterThan(overlooked(habits, 0) + 0.2);
  });

  it('share the mistakes of workers of their own family', () => {
    const habits: Habits = { ...CAREFUL, sharedErrors: 0.5 };
    expect(overlooked(habits, 0.5, { ...CAREFUL, family: 1 })).toBe(0);
    expect(overlooked(habits, 0.5, CAREFUL)).toBeGreaterThan(0.42);
    expect(overlooked(habits, 0.5, CAREFUL)).toBeLessThan(0.58);
    const other = { id: 'another worker', habits };
    const both = share((question) => {
      const puzzle = puzzleOf(question);
      const judges = [{ id: profile.id, habits }, other].map((each) => judgeAnswer(each, puzzle, 'no', 0.5, CAREFUL));
      return judges[0]?.right === judges[1]?.right;
    });
    expect(both, 'checks of one family have the same blind spots').toBe(1);
  });

  it('sometimes give no verdict, and always the same one to the same answer', () => {
    const missing = (rate: number) =>
      share((question, index) => {
        const reply = work({ profile, habits: { ...CAREFUL, missingVerdict: rate } }, question, 'verify', index);
        return readVerdicts(reply, [0])[0]?.verdict === 'unsure';
      });
    expect(missing(0)).toBe(0);
    expect(missing(0.1)).toBeGreaterThan(0.06);
    expect(missing(0.1)).toBeLessThan(0.15);
    const judged = { id: profile.id, habits: { ...CAREFUL, falseRight: [0.5, 0.5] as const } };
    for (const question of questions.slice(0, 20)) {
      const judge = () => judgeAnswer(judged, puzzleOf(question), 'no idea', 0.5, undefined);
      expect(judge()).toEqual(judge());
    }
  });
});

/** The reply to a right answer in step 1. */
function work(of: HabitualWorker, question: string, move: keyof typeof SUBTASK, seed: number): string {
  const puzzle = puzzleOf(question);
  const right = rightReply(question);
  const role = move === 'solveAnotherWay' ? 'solve' : move;
  const earlier = [{ number: 1, role: 'solve' as const, subtask: SUBTASK.solve, response: right }];
  const assignment = { task: question, earlier, subtask: SUBTASK[move], role, asksVerdict: role === 'verify' };
  return workAsUsual(of, { puzzle, difficulty: 0.5, assignment, seed, authorOf: () => undefined });
}

/** The reply of a perfect solver. */
function rightReply(question: string): string {
  const perfect = {
    ...profile,
    strengths: { ...profile.strengths, solve: 1 },
    families: Object.fromEntries(Object.keys(profile.families).map((name) => [name, 1])),
  };
  const assignment = { task: question, earlier: [], subtask: SUBTASK.solve, role: 'solve' as const };
  const situation = { puzzle: puzzleOf(question), difficulty: 0.5, assignment, seed: 1, authorOf: () => undefined };
  return workAsUsual({ profile: perfect }, situation);
}

describe('the replies of workers with habits', () => {
  it('break a right answer as often as the worker does', () => {
    const broken = (breaks: number) => {
      const replies = questions.map((question, index) => ({
        puzzle: puzzleOf(question),
        kept: work({ profile, habits: CAREFUL }, question, 'refine', index),
        reply: work({ profile, habits: { ...CAREFUL, breaks } }, question, 'refine', index),
      }));
      const right = replies.filter(({ puzzle, kept }) => puzzle.check(kept).correct);
      return right.filter(({ puzzle, reply }) => !puzzle.check(reply).correct).length / right.length;
    };
    expect(broken(0)).toBe(0);
    expect(broken(0.15)).toBeGreaterThan(0.1);
    expect(broken(0.15)).toBeLessThan(0.2);
  });

  it('have no answer line if they are malformed, and a preamble if the worker is verbose', () => {
    const [question = ''] = questions;
    const reply = (habits: Partial<Habits>) =>
      work({ profile, habits: { ...CAREFUL, ...habits } }, question, 'decide', 1);
    expect(reply({})).toContain('**Answer:**');
    expect(reply({ malformed: 1 })).not.toContain('**Answer:**');
    expect(reply({ isVerbose: true })).toMatch(/^Sure!/);
    expect(reply({ isVerbose: true })).toContain(reply({}));
  });
});

describe('profileAt', () => {
  it('makes workers more able on easy questions, and less able on hard ones', () => {
    const at = (difficulty: number) => Object.values(profileAt(profile, difficulty).families);
    const before = Object.values(profile.families);
    for (const [index, strength] of at(1).entries()) expect(strength).toBeLessThan(before[index] ?? 0);
    for (const [index, strength] of at(0).entries()) expect(strength).toBeGreaterThan(before[index] ?? 1);
    expect(Math.max(...at(0))).toBeLessThanOrEqual(0.98);
  });
});

describe('populations', () => {
  it('have habits within their ranges, and other habits in held-out items than in training', () => {
    for (const ranges of [TRAINING_RANGES, HELD_OUT_RANGES]) {
      const all = drawPopulation(8, 200, ranges).flatMap(({ habits }) => habits ?? []);
      expect(all.length).toBeGreaterThan(60);
      for (const habits of all) {
        const [easy, hard] = habits.falseRight;
        expect(easy).toBeGreaterThanOrEqual(0.02);
        expect(easy).toBeLessThan(hard);
        expect(hard).toBeLessThanOrEqual(0.4);
        expect(habits.breaks).toBeLessThanOrEqual(0.15);
        expect(habits.missingVerdict).toBeLessThanOrEqual(0.1);
        expect(habits.sharedErrors).toBeGreaterThanOrEqual(0.3);
        expect(habits.sharedErrors).toBeLessThanOrEqual(0.6);
      }
    }
    const mean = (ranges: typeof TRAINING_RANGES) => {
      const all = drawPopulation(8, 200, ranges).flatMap(({ habits }) => habits?.falseRight[1] ?? []);
      return all.reduce((sum, each) => sum + each, 0) / all.length;
    };
    expect(mean(HELD_OUT_RANGES)).toBeGreaterThan(mean(TRAINING_RANGES) + 0.03);
  });

  it('have workers without habits in training only, and a pool has workers of one kind', () => {
    const population = drawPopulation(8, 200);
    const withHabits = population.filter(({ habits }) => habits).length;
    expect(withHabits).toBeGreaterThan(60);
    expect(withHabits).toBeLessThan(140);
    expect(drawPopulation(8, 200, HELD_OUT_RANGES).every(({ habits }) => habits)).toBe(true);
    const pools = Array.from({ length: 50 }, (_, seed) => drawPool(population, 5, seededRandom(seed)));
    const kinds = pools.map((pool) => new Set(pool.map(({ habits }) => habits !== undefined)));
    expect(pools.every((pool) => new Set(pool).size === 5)).toBe(true);
    expect(kinds.every((kind) => kind.size === 1)).toBe(true);
    expect(new Set(kinds.flatMap((kind) => [...kind]))).toEqual(new Set([true, false]));
  });
});
