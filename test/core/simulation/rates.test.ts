/** @file The simulator as a training ground: skill pays, working together pays, and empty workflows do not. */
import { describe, expect, it } from 'vitest';
import { SUBTASK } from '../../../src/core/conductor/wording';
import { TASK_FAMILIES } from '../../../src/core/tasks';
import { BY_ROLE, puzzles, rate, step, type Name } from './workflows';

const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'] as const satisfies readonly Name[];
const asked = puzzles(300);
const alone = Object.fromEntries(NAMES.map((name) => [name, rate([step('solve', name)], asked)])) as Record<
  Name,
  number
>;
/** One standard deviation of a rate over 300 puzzles is at most this. */
const DEVIATION = 0.029;

describe('single workers', () => {
  it('solve more the stronger they are', () => {
    expect(alone.Birch).toBeGreaterThan(alone.Alder + 2 * DEVIATION);
    expect(alone.Birch).toBeGreaterThan(alone.Cedar + 2 * DEVIATION);
    expect(alone.Elm).toBeGreaterThan(alone.Alder + 2 * DEVIATION);
  });

  it('are neither useless nor perfect', () => {
    for (const name of NAMES) {
      expect(alone[name], name).toBeGreaterThan(0.3);
      expect(alone[name], name).toBeLessThan(0.8);
    }
  });

  it('differ by family', () => {
    const arithmetic = puzzles(
      150,
      TASK_FAMILIES.filter(({ name }) => name === 'arithmetic'),
    );
    const countdown = puzzles(
      150,
      TASK_FAMILIES.filter(({ name }) => name === 'countdown'),
    );
    expect(rate([step('solve', 'Elm')], arithmetic)).toBeGreaterThan(rate([step('solve', 'Birch')], arithmetic) + 0.1);
    expect(rate([step('solve', 'Birch')], countdown)).toBeGreaterThan(rate([step('solve', 'Elm')], countdown) + 0.1);
  });
});

describe('working together', () => {
  const best = Math.max(...Object.values(alone));
  const byRole = rate(BY_ROLE, asked);

  it('beats the best single worker by far', () => {
    expect(byRole).toBeGreaterThan(best + 0.12);
    expect(byRole).toBeLessThan(0.97);
  });

  it('beats the same workflow done by one worker', () => {
    for (const name of ['Birch', 'Elm'] as const) {
      const same = BY_ROLE.map((each) => ({ ...each, worker: step('solve', name).worker }));
      expect(byRole).toBeGreaterThan(rate(same, asked) + 2 * DEVIATION);
    }
  });

  it('a check before the repair pays', () => {
    const unchecked = rate([step('solve', 'Birch'), step('refine', 'Dogwood', [0])], asked);
    const checked = rate(
      [step('solve', 'Birch'), step('verify', 'Cedar', [0]), step('refine', 'Dogwood', [0, 1])],
      asked,
    );
    expect(checked).toBeGreaterThan(unchecked + DEVIATION);
  });

  it('a good plan pays a little', () => {
    const planned = rate([step('plan', 'Alder'), step('solve', 'Birch', [0])], asked);
    expect(planned).toBeGreaterThan(alone.Birch);
    expect(planned).toBeLessThan(alone.Birch + 0.12);
  });

  it('different workers bring more than one worker many times', () => {
    const all = [0, 1, 2, 3];
    const same = rate([...all.map(() => step('solve', 'Birch')), step('decide', 'Alder', all)], asked);
    const different = rate(
      [
        ...(['Birch', 'Elm', 'Dogwood', 'Cedar'] as const).map((name) => step('solve', name)),
        step('decide', 'Alder', all),
      ],
      asked,
    );
    expect(different).toBeGreaterThan(same + DEVIATION);
  });
});

describe('workflows that only look like work', () => {
  it('many plans are worth one', () => {
    const one = rate([step('plan', 'Alder'), step('solve', 'Birch', [0])], asked);
    const all = [0, 1, 2, 3];
    const four = rate([...all.map(() => step('plan', 'Alder')), step('solve', 'Birch', all)], asked);
    const mixed = rate(
      [
        ...(['Alder', 'Cedar', 'Dogwood', 'Elm'] as const).map((name) => step('plan', name)),
        step('solve', 'Birch', all),
      ],
      asked,
    );
    expect(four).toBeLessThan(one + DEVIATION);
    expect(mixed).toBeLessThan(one + DEVIATION);
  });

  it.each(NAMES)('%s: to refine or decide on nothing is worth less than to solve', (name) => {
    expect(rate([step('refine', name)], asked)).toBeLessThan(alone[name]);
    expect(rate([step('decide', name)], asked)).toBeLessThan(alone[name]);
    expect(rate([step('aggregate', name)], asked)).toBeLessThan(alone[name]);
  });

  it('a plan or a check as the last word is worth nothing', () => {
    expect(rate([step('plan', 'Alder')], asked)).toBe(0);
    expect(rate([step('verify', 'Cedar')], asked)).toBe(0);
    expect(rate([step('solve', 'Birch'), step('verify', 'Cedar', [0])], asked)).toBe(0);
    expect(rate([step('solve', 'Birch'), step('plan', 'Alder', [0])], asked)).toBe(0);
  });

  it('a second check by the same worker adds nothing', () => {
    const once = rate([step('solve', 'Birch'), step('verify', 'Cedar', [0]), step('refine', 'Dogwood', [0, 1])], asked);
    const twice = rate(
      [
        step('solve', 'Birch'),
        step('verify', 'Cedar', [0]),
        step('verify', 'Cedar', [0]),
        step('refine', 'Dogwood', [0, 1, 2]),
      ],
      asked,
    );
    expect(Math.abs(twice - once)).toBeLessThan(DEVIATION);
  });

  it('one worker asked five times gains little', () => {
    const all = [0, 1, 2, 3];
    for (const name of ['Birch', 'Elm'] as const) {
      const repeated = rate(
        [...all.map(() => step('solve', name, [], SUBTASK.solve)), step('decide', name, all)],
        asked,
      );
      expect(repeated, name).toBeLessThan(alone[name] + 0.1);
    }
  });
});
