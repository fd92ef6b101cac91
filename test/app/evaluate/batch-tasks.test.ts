import { expect, test } from 'vitest';
import { chosenTasks, firstChoice } from '../../../src/app/evaluate/batch-tasks';
import { storedDataset } from '../../fixtures/evaluation/batches';

const OUTLINE = Array.from({ length: 40 }, (_, index) => ({ id: `t${index}`, group: index < 30 ? 'a' : 'b' }));
const CHOICE = { ...firstChoice(storedDataset('d', 40), false), size: 8 };

test('uses all tasks by default, or a sample of 100 if there are more', () => {
  expect(firstChoice(storedDataset('d', 101), false)).toMatchObject({ part: 'sample', size: 100, spread: 'share' });
  expect(firstChoice(storedDataset('d', 100), false)).toMatchObject({ part: 'all', size: 50 });
  expect(chosenTasks(OUTLINE, CHOICE)).toHaveLength(40);
});

test('splits a dataset into the sample and the remaining tasks', () => {
  const sample = chosenTasks(OUTLINE, { ...CHOICE, part: 'sample' });
  const rest = chosenTasks(OUTLINE, { ...CHOICE, part: 'rest' });
  expect([sample.length, rest.length]).toEqual([8, 32]);
  expect(new Set([...sample, ...rest]).size).toBe(40);
});

test('samples groups evenly or by their share, as chosen', () => {
  const inB = (spread: 'share' | 'even') =>
    chosenTasks(OUTLINE, { ...CHOICE, part: 'sample', spread }).filter((id) => Number(id.slice(1)) >= 30).length;
  expect([inB('share'), inB('even')]).toEqual([2, 4]);
});
