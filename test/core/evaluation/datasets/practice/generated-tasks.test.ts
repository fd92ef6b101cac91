import { expect, test } from 'vitest';
import { generatedTasks } from '../../../../../src/core/evaluation/datasets/practice/generated-tasks';
import { readPuzzle, TASK_FAMILIES } from '../../../../../src/core/tasks';

const TASKS = generatedTasks(7, 1_000);

test('generates a thousand different puzzles, with every family at every difficulty', () => {
  const puzzles = TASKS.map(({ question }) => readPuzzle(question));
  const keys = puzzles.map((puzzle) => puzzle?.key);

  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(1_000);
  expect(new Set(TASKS.map(({ id }) => id)).size).toBe(1_000);
  expect(new Set(puzzles.map((puzzle) => puzzle?.family)).size).toBe(TASK_FAMILIES.length);
  expect(new Set(TASKS.map(({ group }) => group)).size).toBe(4 * TASK_FAMILIES.length);
});

test('gives the first tasks of the same list for a smaller count', () => {
  expect(generatedTasks(7, 50)).toEqual(TASKS.slice(0, 50));
});

test('gives mostly different tasks for another seed', () => {
  const questions = new Set(TASKS.map(({ question }) => question));

  expect(generatedTasks(8, 50).filter(({ question }) => questions.has(question)).length).toBeLessThan(5);
});
