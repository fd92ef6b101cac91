import { describe, expect, it } from 'vitest';
import { nearEqualGroups, splitTasks } from '../../../src/core/lessons/task-split';
import { societyTasks } from '../../fixtures/lessons/society';

const own = (count: number) => societyTasks(1, count);

describe('splitTasks', () => {
  it('puts each task into exactly one part, half of them into the test', () => {
    const { train, validation, test, testTasks } = splitTasks(own(200), [], 7);
    expect(testTasks).toBe('own');
    expect(test).toHaveLength(100);
    expect(validation).toHaveLength(50);
    expect(new Set([...train, ...validation, ...test]).size).toBe(200);
  });

  it('tests on generated tasks if there are fewer than 100 own ones', () => {
    const generated = societyTasks(2, 30, 5_000);
    const { train, validation, test, testTasks } = splitTasks(own(99), generated, 7);
    expect(testTasks).toBe('generated');
    expect(train.length + validation.length).toBe(99);
    expect(test).toEqual(generated.map(({ id }) => id));
  });

  it('keeps equal and near-equal tasks in one part', () => {
    const tasks = own(120);
    const copies = tasks.slice(0, 40).map(({ id, question }, index) => ({
      id: `copy-${id}`,
      question: index % 2 === 0 ? question.toUpperCase() : `${question} Please answer.`,
    }));
    const split = splitTasks([...tasks, ...copies], [], 3);
    const partOf = (id: string) =>
      split.train.includes(id) ? 'train' : split.validation.includes(id) ? 'validation' : 'test';
    for (const { id } of copies) expect(partOf(id)).toBe(partOf(id.slice('copy-'.length)));
  });

  it('leaves generated tasks out that resemble an own task', () => {
    const [first] = own(20);
    const twin = { id: 'twin', question: `${first?.question ?? ''} Thanks.` };
    expect(splitTasks(own(20), [twin, ...societyTasks(2, 5, 5_000)], 1).test).not.toContain('twin');
  });

  it('does not join tasks that share only the wording of their dataset', () => {
    expect(nearEqualGroups(own(300))).toHaveLength(300);
  });
});
