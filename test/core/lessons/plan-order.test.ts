import { describe, expect, it } from 'vitest';
import { inPlanOrder } from '../../../src/core/lessons/plan-order';

const POOLS: Readonly<Record<string, readonly string[]>> = {
  a: ['oak', 'ash'],
  b: ['ash', 'elm', 'oak'],
  c: ['oak', 'elm'],
  d: ['ash', 'elm'],
};
const workersOf = (task: string) => POOLS[task.charAt(0)] ?? [];
const run = (candidate: number, task: string) => ({
  candidate,
  lessons: candidate === 0 ? [] : ['Check the units.'],
  task,
  isTraced: false,
});
const names = (runs: readonly { readonly candidate: number; readonly task: string }[]) =>
  runs.map(({ candidate, task }) => `${candidate}${task}`);

describe('runs in the order of their plans', () => {
  it('are grouped by lessons, and then by their first workers', () => {
    const runs = ['a', 'b', 'c', 'd'].flatMap((task) => [run(0, task), run(1, task)]);
    const ordered = names(inPlanOrder(runs, workersOf));
    expect(ordered).toEqual(['1b', '1d', '1a', '1c', '0b', '0d', '0a', '0c']);
  });

  it('come in blocks, so that both candidates of a long proof are compared at about the same time', () => {
    const runs = Array.from({ length: 100 }, (_, index) => [run(0, `a${index}`), run(1, `a${index}`)]).flat();
    const ordered = inPlanOrder(runs, workersOf);
    expect(new Set(names(ordered))).toEqual(new Set(names(runs)));
    const places = new Map(names(ordered).map((name, index) => [name, index]));
    for (const { task } of runs) {
      const [one = 0, other = 0] = [places.get(`0${task}`), places.get(`1${task}`)];
      expect(Math.abs(one - other)).toBeLessThan(32);
    }
  });
});
