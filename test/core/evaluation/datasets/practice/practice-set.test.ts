import { describe, expect, test } from 'vitest';
import { mixSeed, seededRandom, type EvaluationTask, type Grader } from '../../../../../src/core/contract';
import { createChoiceLetterGrader } from '../../../../../src/core/graders/choice-letter';
import { createMathematicsGrader } from '../../../../../src/core/graders/mathematics';
import { createPatternGrader } from '../../../../../src/core/graders/pattern';
import { createPuzzleGrader } from '../../../../../src/core/graders/puzzle';
import { createRlprGrader } from '../../../../../src/core/graders/rlpr';
import { createExactGrader } from '../../../../../src/core/graders/text-match';
import { readPuzzle } from '../../../../../src/core/tasks';
import type { PosedPuzzle } from '../../../../../src/core/tasks/posed';
import { DEFAULT_COURSE } from '../../../../../src/core/training/learning/course-options';
import { EVERYDAY_QUESTIONS } from '../../../../fixtures/everyday/questions';
import { PRACTICE_ANSWERS } from '../../../../fixtures/practice/answers';
import { practiceDataset, practiceTasks } from '../../../../../src/core/evaluation/datasets/practice/with-practice';
import { drawQuestion } from '../../../../../src/core/training/environment/history';

/** Seeds of the training runs in models/policy/trainings/. */
const TRAINING_SEEDS = [1, 2, 3];
/** Number of questions that the workers have already answered when training begins, as in scripts/train/main.ts. */
const PAST_QUESTIONS = 400;
const { signal } = new AbortController();
const TASKS = practiceTasks();
const PUZZLES = TASKS.filter(({ grader }) => grader === 'puzzle');
const GENERAL = TASKS.filter(({ grader }) => grader !== 'puzzle');

test('the practice set has 200 puzzles in twenty equal groups, and 100 general questions in six groups', () => {
  const { tasks, groups, graders } = practiceDataset();

  expect(tasks).toBe(300);
  expect(PUZZLES).toHaveLength(200);
  expect(groups.slice(0, 20).map((each) => each.tasks)).toEqual(new Array(20).fill(10));
  expect(Object.fromEntries(groups.slice(20).map(({ group, tasks }) => [group, tasks]))).toEqual({
    knowledge: 25,
    science: 25,
    mathematics: 25,
    code: 9,
    logic: 8,
    language: 8,
  });
  expect([...graders].sort()).toEqual(['exact', 'letter', 'mathematics', 'pattern', 'puzzle', 'rlpr']);
});

test('the revision of the practice set is unchanged, so old and new results are comparable', () => {
  expect(practiceDataset().revision).toBe('4f15561ee32c524307b87e5385b374f35f79e5aa7efab545fda9e7a15c8df8ca');
});

test('every task of the practice set has a unique id', () => {
  expect(new Set(TASKS.map(({ id }) => id)).size).toBe(TASKS.length);
});

describe('puzzles of the practice set', () => {
  test('can be parsed, and have a best answer that the puzzle grader accepts', async () => {
    const grader = createPuzzleGrader();
    for (const task of PUZZLES) {
      const puzzle = readPuzzle(task.question);
      expect(`${puzzle?.family ?? 'unreadable'}, `, task.id).toBe(task.group?.replace(/[^,]*$/, ' '));
      const answer = puzzle && bestAnswer(puzzle);
      expect(await grader.grade(task, `Answer: ${answer ?? 'none'}`, signal), task.id).toMatchObject({ correct: true });
    }
  });

  test('are all different, even if their wording is ignored', () => {
    expect(new Set(PUZZLES.map(keyOf)).size).toBe(PUZZLES.length);
  });

  test('are not among the questions that the policy is trained on', () => {
    const keys = new Set(PUZZLES.map(keyOf));
    const shared = TRAINING_SEEDS.flatMap((seed) => [
      ...trained(mixSeed(seed, 'items'), DEFAULT_COURSE.items),
      ...trained(mixSeed(seed, 'past'), PAST_QUESTIONS),
    ]).filter(({ key }) => keys.has(key));
    expect(shared).toEqual([]);
  });
});

describe('general questions of the practice set', () => {
  test.each(GENERAL.map((task) => [task.id, task] as const))(
    'have a grader that accepts the right answer and rejects two wrong ones: %s',
    async (id, task) => {
      const grader = graderOf(task);
      const [right, ...wrong] = PRACTICE_ANSWERS[id.replace('practice-', '')] ?? [];
      expect(right).toBeDefined();
      expect(wrong).toHaveLength(2);
      for (const response of responses(task, right ?? '')) {
        expect(await grader.grade(task, response, signal), response).toMatchObject({ correct: true });
      }
      for (const response of wrong.flatMap((each) => responses(task, each))) {
        expect(await grader.grade(task, response, signal), response).toMatchObject({ correct: false });
      }
    },
  );

  test('share at most half of their words with each other and with the everyday fixture questions', () => {
    const own = GENERAL.map(({ id, question }) => ({ id, words: wordsOf(question) }));
    const others = EVERYDAY_QUESTIONS.map(({ id, text }) => ({ id, words: wordsOf(text) }));
    const pairs = own.flatMap((one, index) =>
      [...own.slice(index + 1), ...others]
        .filter((other) => overlap(one.words, other.words) > 0.5)
        .map((other) => `${one.id} and ${other.id}`),
    );
    expect(pairs).toEqual([]);
  });
});

/** The first `count` questions that the policy's training draws from a random stream. */
function trained(stream: number, count: number) {
  return Array.from({ length: count }, (_, index) => drawQuestion('train', stream, index));
}

/** The first correct answer that any strategy finds with a lot of effort. If there is none, the first answer. */
function bestAnswer(puzzle: PosedPuzzle): string | null {
  let best: string | null = null;
  for (let seed = 0; seed < 10; seed++) {
    for (const strategy of puzzle.strategies) {
      const effort = { steps: puzzle.ample * 4, strategy: strategy.name, random: seededRandom(seed) };
      const { answer } = puzzle.search(effort);
      if (answer !== null && puzzle.check(answer).correct) return answer;
      best ??= answer;
    }
  }
  return best;
}

function keyOf({ question }: EvaluationTask): string {
  return readPuzzle(question)?.key ?? question;
}

function graderOf({ grader }: EvaluationTask): Grader {
  switch (grader) {
    case 'letter':
      return createChoiceLetterGrader('strict');
    case 'mathematics':
      return createMathematicsGrader('strict');
    case 'exact':
      return createExactGrader();
    case 'rlpr':
      return createRlprGrader('strict');
    case 'pattern':
      return createPatternGrader();
    default:
      throw new RangeError(`A general question should not be graded by ${grader}.`);
  }
}

/**
 * Writes an answer in the forms that models use: in tags, in a sentence or alone on the last line. For the grader
 * `exact`, the answer is always in tags or alone on the last line, as the question requests.
 */
function responses({ grader }: EvaluationTask, answer: string): readonly string[] {
  const tagged = `First I recall what is known.\n<answer>${answer}</answer>`;
  switch (grader) {
    case 'letter':
      return [tagged, `Two options are close, A and D.\n\n**Answer: ${answer}**`, `The right one is option ${answer}.`];
    case 'mathematics':
      return [tagged, `We work it out.\n\nAnswer: $${answer}$`, `Therefore\n\\[\\boxed{${answer}}\\]`];
    case 'rlpr':
      return [tagged, `Step 1 gives 7.\n\nAnswer: ${answer}`, `It takes two steps. So the answer is **${answer}**.`];
    case 'exact':
      return [tagged, `I go through it letter by letter.\n\n${answer}`, `Checked twice.\n${answer}.`];
    default:
      return [tagged, `It is well known.\n\n**${answer}**`, `I considered some others.\nThe answer is ${answer}.`];
  }
}

/** The set of words in the question, without the instruction on how to write the answer. */
function wordsOf(question: string): ReadonlySet<string> {
  const text = question
    .replace(/\s*(?:Write the answer alone on the last line\.|End with “Answer:” and [^.]*\.)$/, '')
    .replace('What does this Python program print?', '')
    .toLowerCase();
  return new Set(text.match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The number of words in both sets, divided by the number of words in their union. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / (one.size + other.size - shared);
}
