import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignSteps } from '../../../src/core/analysis/step-alignment';
import { foldEvents, ROLES, type EventBody, type Run, type Step } from '../../../src/core/contract';
import { runStarted, stampEvents, step } from '../../fixtures/run-events';

/** A run with these workflows, one for each round. */
function planned(...rounds: (readonly Step[])[]): Run {
  const bodies = rounds.flatMap((steps, round): EventBody[] => [
    { type: 'round-started', round },
    { type: 'plan-started', round, conductor: runStarted().conductor, messages: [] },
    {
      type: 'plan-finished',
      round,
      workflow: { steps },
      thought: '',
      text: '',
      source: 'conductor',
      usage: null,
      cost: null,
      finishReason: null,
    },
  ]);
  const run = foldEvents(stampEvents([runStarted(), ...bodies]));
  if (!run) throw new Error('no run');
  return run;
}

const anyStep = fc.record({
  worker: fc.nat(2),
  subtask: fc.constantFrom('Solve it', 'Solve it in another way', 'Check the result', 'Decide', ''),
  access: fc.constant<readonly number[]>([]),
  role: fc.constantFrom(...ROLES),
});
const anyRun = fc.array(fc.array(anyStep, { maxLength: 6 }), { maxLength: 3 }).map((rounds) => planned(...rounds));
const pairsOf = (one: Run, other: Run) => alignSteps([one, other]).map(({ round, steps }) => [round, ...steps]);

describe('alignSteps', () => {
  test('pairs every step with itself when a run is compared with itself', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        for (const { steps } of alignSteps([run, run])) expect(steps[0]).toBe(steps[1]);
      }),
    );
  });

  test('gives the same pairs when the runs are swapped', () => {
    fc.assert(
      fc.property(anyRun, anyRun, (one, other) => {
        const swapped = pairsOf(other, one).map(([round, a, b]) => [round, b, a]);
        expect(new Set(swapped.map(String))).toEqual(new Set(pairsOf(one, other).map(String)));
      }),
      { numRuns: 500 },
    );
  });

  test('puts each step into exactly one row, and keeps the step order of each run', () => {
    fc.assert(
      fc.property(fc.array(anyRun, { minLength: 1, maxLength: 4 }), (runs) => {
        const rows = alignSteps(runs);
        runs.forEach((run, index) => {
          const placed = rows.flatMap(({ round, steps }) => {
            const own = steps[index] ?? null;
            return own === null ? [] : [`${round}.${own}`];
          });
          expect(placed).toEqual(
            run.rounds.flatMap(({ round, steps }) => steps.map((each) => `${round}.${each.index}`)),
          );
        });
      }),
    );
  });

  test('pairs the common steps when one run has an additional step', () => {
    const base = planned([step(0, 'Solve it'), step(2, 'Decide', [0])]);
    const longer = planned([step(1, 'Make a plan'), step(0, 'Solve it', [0]), step(2, 'Decide', [1])]);
    expect(pairsOf(base, longer)).toEqual([
      [0, null, 0],
      [0, 0, 1],
      [0, 1, 2],
    ]);
  });

  test('pairs steps by position when there are too many pairs of steps to compare', () => {
    const long = planned(Array.from({ length: 120 }, (_, index) => step(0, `Part ${index}`)));
    expect(pairsOf(long, planned([...(long.rounds[0]?.plan?.workflow?.steps ?? [])].slice(1)))[0]).toEqual([0, 0, 0]);
  });
});
