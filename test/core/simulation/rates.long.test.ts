/**
 * @file Tests the simulation as a training environment: skill and useful workflows increase the rate of right answers, and
 * pointless workflows do not.
 */
import { describe, expect, it } from 'vitest';
import { SUBTASK } from '../../../src/core/conductor/wording';
import { TASK_FAMILIES } from '../../../src/core/tasks';
import { BY_ROLE, puzzles, rate, step, type Name } from './workflows';

const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'] as const satisfies readonly Name[];
const drawn = puzzles(300);
const alone = Object.fromEntries(NAMES.map((name) => [name, rate([step('solve', name)], drawn)])) as Record<
  Name,
  number
>;
/** Maximum standard deviation of a rate over 300 puzzles. */
const DEVIATION = 0.029;

describe('single workers', () => {
  it('that are strong are right more often than weak workers', () => {
    expect(alone.Birch).toBeGreaterThan(alone.Alder + 2 * DEVIATION);
    expect(alone.Birch).toBeGreaterThan(alone.Cedar + 2 * DEVIATION);
    expect(alone.Elm).toBeGreaterThan(alone.Alder + 2 * DEVIATION);
  });

  it('are neither always wrong nor always right', () => {
    for (const name of NAMES) {
      expect(alone[name], name).toBeGreaterThan(0.3);
      expect(alone[name], name).toBeLessThan(0.8);
    }
  });

  it('are good at different families of puzzles', () => {
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

describe('useful workflows', () => {
  const best = Math.max(...Object.values(alone));
  const byRole = rate(BY_ROLE, drawn);

  it('by the built-in rules are right far more often than the best single worker, but sometimes wrong', () => {
    expect(byRole).toBeGreaterThan(best + 0.12);
    expect(byRole).toBeLessThan(0.97);
  });

  it('by the built-in rules are right more often than the same workflows with one worker for all steps', () => {
    for (const name of ['Birch', 'Elm'] as const) {
      const same = BY_ROLE.map((each) => ({ ...each, worker: step('solve', name).worker }));
      expect(byRole).toBeGreaterThan(rate(same, drawn) + 2 * DEVIATION);
    }
  });

  it('gain from a check before refining', () => {
    const unchecked = rate([step('solve', 'Birch'), step('refine', 'Dogwood', [0])], drawn);
    const checked = rate(
      [step('solve', 'Birch'), step('verify', 'Cedar', [0]), step('refine', 'Dogwood', [0, 1])],
      drawn,
    );
    expect(checked).toBeGreaterThan(unchecked + DEVIATION);
  });

  it('gain a little from a plan before solving', () => {
    const planned = rate([step('plan', 'Alder'), step('solve', 'Birch', [0])], drawn);
    expect(planned).toBeGreaterThan(alone.Birch);
    expect(planned).toBeLessThan(alone.Birch + 0.12);
  });

  it('gain more from four workers that solve once than from one worker that solves four times', () => {
    const all = [0, 1, 2, 3];
    const same = rate([...all.map(() => step('solve', 'Birch')), step('decide', 'Alder', all)], drawn);
    const different = rate(
      [
        ...(['Birch', 'Elm', 'Dogwood', 'Cedar'] as const).map((name) => step('solve', name)),
        step('decide', 'Alder', all),
      ],
      drawn,
    );
    expect(different).toBeGreaterThan(same + DEVIATION);
  });
});

describe('pointless workflows', () => {
  it('gain nothing from four plans instead of one', () => {
    const one = rate([step('plan', 'Alder'), step('solve', 'Birch', [0])], drawn);
    const all = [0, 1, 2, 3];
    const four = rate([...all.map(() => step('plan', 'Alder')), step('solve', 'Birch', all)], drawn);
    const mixed = rate(
      [
        ...(['Alder', 'Cedar', 'Dogwood', 'Elm'] as const).map((name) => step('plan', name)),
        step('solve', 'Birch', all),
      ],
      drawn,
    );
    expect(four).toBeLessThan(one + DEVIATION);
    expect(mixed).toBeLessThan(one + DEVIATION);
  });

  it.each(NAMES)('by %s that only refine, decide or aggregate are right less often than a solving step', (name) => {
    expect(rate([step('refine', name)], drawn)).toBeLessThan(alone[name]);
    expect(rate([step('decide', name)], drawn)).toBeLessThan(alone[name]);
    expect(rate([step('aggregate', name)], drawn)).toBeLessThan(alone[name]);
  });

  it('are never right with a plan or a check as the last step', () => {
    expect(rate([step('plan', 'Alder')], drawn)).toBe(0);
    expect(rate([step('verify', 'Cedar')], drawn)).toBe(0);
    expect(rate([step('solve', 'Birch'), step('verify', 'Cedar', [0])], drawn)).toBe(0);
    expect(rate([step('solve', 'Birch'), step('plan', 'Alder', [0])], drawn)).toBe(0);
  });

  it('gain nothing from a second check by the same worker', () => {
    const once = rate([step('solve', 'Birch'), step('verify', 'Cedar', [0]), step('refine', 'Dogwood', [0, 1])], drawn);
    const twice = rate(
      [
        step('solve', 'Birch'),
        step('verify', 'Cedar', [0]),
        step('verify', 'Cedar', [0]),
        step('refine', 'Dogwood', [0, 1, 2]),
      ],
      drawn,
    );
    expect(Math.abs(twice - once)).toBeLessThan(DEVIATION);
  });

  it('gain little from calling one worker five times', () => {
    const all = [0, 1, 2, 3];
    for (const name of ['Birch', 'Elm'] as const) {
      const repeated = rate(
        [...all.map(() => step('solve', name, [], SUBTASK.solve)), step('decide', name, all)],
        drawn,
      );
      expect(repeated, name).toBeLessThan(alone[name] + 0.1);
    }
  });
});
