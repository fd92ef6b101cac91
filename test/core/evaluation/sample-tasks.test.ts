import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTasks } from '../../../src/core/evaluation/sample-tasks';

const outline = (groups: readonly (string | undefined)[]) =>
  groups.map((group, index) => ({ id: `task-${index}`, ...(group === undefined ? {} : { group }) }));

describe('sampleTasks', () => {
  it('takes all tasks in their order when the sample is not smaller than the dataset', () => {
    expect(sampleTasks(outline(['a', 'b']), 5, 1)).toEqual(['task-0', 'task-1']);
  });

  it('gives each group its share, with the largest remainders rounded up', () => {
    const tasks = outline([...Array<string>(6).fill('a'), ...Array<string>(3).fill('b'), 'c']);
    const groups = sampleTasks(tasks, 5, 7).map((id) => tasks.find((task) => task.id === id)?.group);
    expect(groups).toEqual(['a', 'a', 'a', 'b', 'b']);
  });

  it('draws other tasks with another seed', () => {
    const tasks = outline(Array<undefined>(100).fill(undefined));
    expect(sampleTasks(tasks, 10, 1)).toEqual(sampleTasks(tasks, 10, 1));
    expect(sampleTasks(tasks, 10, 1)).not.toEqual(sampleTasks(tasks, 10, 2));
  });

  it('draws exactly as many different tasks as asked for, off the share of no group by more than one', () => {
    const groups = fc.array(fc.constantFrom('a', 'b', 'c', undefined), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 60 }), fc.nat(), (names, size, seed) => {
        const tasks = outline(names);
        const ids = sampleTasks(tasks, size, seed);
        expect(new Set(ids).size).toBe(Math.min(size, tasks.length));
        const share = Math.min(1, size / tasks.length);
        for (const name of new Set(names)) {
          const own = tasks.filter(({ group }) => group === name);
          const drawn = own.filter(({ id }) => ids.includes(id)).length;
          expect(Math.abs(drawn - own.length * share)).toBeLessThan(1);
        }
      }),
    );
  });
});
