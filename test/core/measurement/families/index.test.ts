import { expect, test } from 'vitest';
import { MEASURED_FAMILIES, measuredTask } from '../../../../src/core/measurement/families';

test('has at least 20 families with ids of their own, and at least four in each domain', () => {
  expect(MEASURED_FAMILIES.length).toBeGreaterThanOrEqual(20);
  expect(new Set(MEASURED_FAMILIES.map(({ id }) => id)).size).toBe(MEASURED_FAMILIES.length);
  for (const domain of ['maths', 'code', 'logic', 'language', 'data']) {
    expect(MEASURED_FAMILIES.filter((family) => family.domain === domain).length).toBeGreaterThanOrEqual(4);
  }
  expect(Math.min(...MEASURED_FAMILIES.map(({ levels }) => levels))).toBeGreaterThanOrEqual(6);
});

test('gives the same task for the same seed, and another task for another seed', () => {
  for (const { id, levels } of MEASURED_FAMILIES) {
    const task = measuredTask(id, levels - 1, 7);
    expect(measuredTask(id, levels - 1, 7)).toEqual(task);
    expect(measuredTask(id, levels - 1, 8).key).not.toBe(task.key);
    expect(task).toMatchObject({ family: id, level: levels - 1 });
  }
});

test('rejects families and levels that do not exist', () => {
  expect(() => measuredTask('no-such-family', 0, 1)).toThrow(RangeError);
  expect(() => measuredTask('cipher', 8, 1)).toThrow(RangeError);
});
