import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleTasks, splitTasks, SPREADS } from '../../../../src/core/evaluation/datasets/sample';

const outline = (sizes: Record<string, number>) =>
  Object.entries(sizes).flatMap(([group, size]) =>
    Array.from({ length: size }, (_, index) => ({ id: `${group}${index}`, group })),
  );
const countOf = (ids: readonly string[], group: string) => ids.filter((id) => id.startsWith(group)).length;

test('draws the same tasks for the same seed, and different tasks for another seed', () => {
  const tasks = outline({ a: 100 });
  expect(sampleTasks(tasks, 10, 1)).toEqual(sampleTasks(tasks, 10, 1));
  expect(sampleTasks(tasks, 10, 1)).not.toEqual(sampleTasks(tasks, 10, 2));
  expect(sampleTasks(tasks, 10, 1)).not.toEqual(tasks.slice(0, 10).map(({ id }) => id));
});

test('draws the requested number of tasks if the tasks have no groups', () => {
  const tasks = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }));
  expect(sampleTasks(tasks, 4, 1)).toHaveLength(4);
});

test('by default, draws from each group in proportion to its size', () => {
  const ids = sampleTasks(outline({ a: 60, b: 30, c: 10 }), 20, 7);
  expect(['a', 'b', 'c'].map((group) => countOf(ids, group))).toEqual([12, 6, 2]);
});

test('splits tasks into a sample and the remaining tasks, with the same share of each group in both', () => {
  const tasks = outline({ a: 40, b: 20 });
  const { sample, rest } = splitTasks(tasks, 48, 3);
  expect([countOf(sample, 'a'), countOf(sample, 'b')]).toEqual([32, 16]);
  expect([countOf(rest, 'a'), countOf(rest, 'b')]).toEqual([8, 4]);
  expect(new Set([...sample, ...rest]).size).toBe(60);
});

test('with the spread “even”, draws the same number from each group, or all tasks of a small group', () => {
  const ids = sampleTasks(outline({ a: 60, b: 30, c: 2 }), 20, 7, 'even');
  expect(['a', 'b', 'c'].map((group) => countOf(ids, group))).toEqual([9, 9, 2]);
  const odd = sampleTasks(outline({ a: 5, b: 5, c: 5 }), 10, 7, 'even');
  expect(['a', 'b', 'c'].map((group) => countOf(odd, group)).toSorted()).toEqual([3, 3, 4]);
});

test('with the spread “none”, ignores the groups', () => {
  const grouped = outline({ a: 60, b: 40 });
  const ungrouped = grouped.map(({ id }) => ({ id }));
  expect(sampleTasks(grouped, 20, 7, 'none')).toEqual(sampleTasks(ungrouped, 20, 7));
});

test('with the spread “whole”, draws whole groups up to the number of tasks, or else the smallest group', () => {
  fc.assert(
    fc.property(
      fc.record({
        a: fc.integer({ min: 1, max: 30 }),
        b: fc.integer({ min: 1, max: 30 }),
        c: fc.integer({ min: 1, max: 30 }),
      }),
      fc.integer({ min: 1, max: 90 }),
      fc.integer(),
      (sizes, count, seed) => {
        const { sample, rest } = splitTasks(outline(sizes), count, seed, 'whole');
        for (const group of ['a', 'b', 'c']) expect(Math.min(countOf(sample, group), countOf(rest, group))).toBe(0);
        const smallest = Math.min(...Object.values(sizes));
        expect(sample.length).toBeGreaterThan(0);
        expect(sample.length).toBeLessThanOrEqual(Math.max(count, smallest));
        if (count < smallest) expect(sample).toHaveLength(smallest);
      },
    ),
  );
  const ungrouped = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }));
  expect(sampleTasks(ungrouped, 4, 1, 'whole')).toHaveLength(4);
});

test('draws the requested number of tasks in dataset order, with any spread that divides groups', () => {
  fc.assert(
    fc.property(
      fc.record({ a: fc.nat(30), b: fc.nat(30), c: fc.nat(30) }),
      fc.integer({ min: -1, max: 100 }),
      fc.integer(),
      fc.constantFrom(...SPREADS.filter((spread) => spread !== 'whole')),
      (sizes, count, seed, spread) => {
        const tasks = outline(sizes);
        const ids = sampleTasks(tasks, count, seed, spread);
        const wanted = Math.max(0, Math.min(count, tasks.length));
        expect(ids).toHaveLength(wanted);
        const drawn = new Set(ids);
        expect(ids).toEqual(tasks.map(({ id }) => id).filter((id) => drawn.has(id)));
        if (spread !== 'share') return;
        for (const [group, size] of Object.entries(sizes)) {
          const exact = tasks.length === 0 ? 0 : (size * wanted) / tasks.length;
          expect(Math.abs(countOf(ids, group) - exact)).toBeLessThan(1);
        }
      },
    ),
  );
});
