import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareSteps,
  promptOfStep,
  settingDifferences,
  type ComparedRow,
} from '../../../src/core/analysis/run-differences';
import { alignSteps } from '../../../src/core/analysis/step-alignment';
import { foldEvents, type EventBody, type Run, type StoredEvent } from '../../../src/core/contract';
import { endedRun } from '../../fixtures/run-arbitrary';
import { finishedRunBodies, poolWorker, runStarted, stampEvents, step } from '../../fixtures/run-events';

function fold(events: readonly StoredEvent[]): Run {
  const run = foldEvents(events);
  if (!run) throw new Error('no run');
  return run;
}
const runOf = (bodies: readonly EventBody[]) => fold(stampEvents(bodies));
const compared = (...runs: Run[]): ComparedRow[] => compareSteps(runs, alignSteps(runs));
const partsOf = (row: ComparedRow | undefined) => [...(row?.differing[1] ?? [])];

describe('settingDifferences', () => {
  test('finds no difference between a run and itself', () => {
    fc.assert(
      fc.property(endedRun(), (events) => {
        expect(settingDifferences(fold(events), fold(events))).toEqual([]);
      }),
    );
  });

  test('finds the same differences when the runs are swapped', () => {
    fc.assert(
      fc.property(endedRun(), endedRun(), (one, other) => {
        expect(settingDifferences(fold(one), fold(other))).toEqual(settingDifferences(fold(other), fold(one)));
      }),
    );
  });

  test('names exactly the settings that were changed', () => {
    const base = runOf([runStarted()]);
    const other = runOf([
      runStarted({
        seed: 2,
        effort: 'quick',
        caps: { rounds: 2, calls: 4, tokens: null, usd: null },
        pool: [0, 1].map((index) => poolWorker(index)),
      }),
    ]);
    expect(settingDifferences(base, other)).toEqual(['pool', 'effort', 'caps', 'seed']);
  });

  test('ignores the order of fields', () => {
    const one = runOf([runStarted({ sampling: { temperature: 0.2, maxTokens: 100 } })]);
    const other = runOf([runStarted({ sampling: { maxTokens: 100, temperature: 0.2 } })]);
    expect(settingDifferences(one, other)).toEqual([]);
  });
});

describe('compareSteps', () => {
  test('finds no difference between a run and itself', () => {
    fc.assert(
      fc.property(endedRun(), (events) => {
        for (const row of compared(fold(events), fold(events))) expect(row.isSame).toBe(true);
      }),
    );
  });

  test('finds the same differences in each step when the runs are swapped', () => {
    const listed = (rows: readonly ComparedRow[], swap: boolean) =>
      new Set(
        rows.map(({ round, steps, differing }) => {
          const [one, other] = swap ? [steps[1], steps[0]] : steps;
          return `${round} ${one} ${other} ${differing[0] && differing[1] ? [...differing[1]].join() : 'alone'}`;
        }),
      );
    fc.assert(
      fc.property(endedRun(), endedRun(), (a, b) => {
        const [one, other] = [fold(a), fold(b)];
        expect(listed(compared(other, one), true)).toEqual(listed(compared(one, other), false));
      }),
    );
  });

  test('marks a changed output, and the later prompt that contains the output', () => {
    const changed = finishedRunBodies().map((body): EventBody => {
      if (body.type === 'step-finished' && body.step === 0) return { ...body, output: 'uno' };
      if (body.type !== 'step-started' || body.step !== 2) return body;
      return { ...body, messages: [{ role: 'user', parts: [{ kind: 'output', round: 0, step: 0 }] }] };
    });
    const base = finishedRunBodies().map((body): EventBody => {
      if (body.type !== 'step-started' || body.step !== 2) return body;
      return { ...body, messages: [{ role: 'user', parts: [{ kind: 'output', round: 0, step: 0 }] }] };
    });
    const rows = compared(runOf(base), runOf(changed));
    expect(rows.map(({ isSame }) => isSame)).toEqual([false, true, false]);
    expect(partsOf(rows[0])).toEqual(['output']);
    expect(partsOf(rows[2])).toEqual(['prompt']);
  });

  test('ignores the prompt of a reused step', () => {
    const reused: EventBody = { type: 'step-reused', round: 0, step: 0, attempt: 0, output: 'one done', reasoning: '' };
    const fork = finishedRunBodies().flatMap((body): EventBody[] => {
      if (!('step' in body) || body.step !== 0 || body.type === 'run-finished') return [body];
      return body.type === 'step-started' ? [reused] : [];
    });
    const [row] = compared(runOf(finishedRunBodies()), runOf(fork));
    expect(row?.isSame).toBe(true);
  });

  test('does not compare a prompt that refers to a missing step', () => {
    const damaged = finishedRunBodies().map((body): EventBody => {
      if (body.type !== 'step-started' || body.step !== 2) return body;
      return { ...body, messages: [{ role: 'user', parts: [{ kind: 'output', round: 3, step: 0 }] }] };
    });
    const rows = compared(runOf(finishedRunBodies()), runOf(damaged));
    expect(rows.map((row) => row.arePromptsKnown)).toEqual([
      [true, true],
      [true, true],
      [true, false],
    ]);
    expect(partsOf(rows[2])).not.toContain('prompt');
  });

  test('treats access to the same step as equal if an inserted step shifts the index of that step', () => {
    const plan = (steps: ReturnType<typeof step>[]): EventBody[] => [
      runStarted(),
      { type: 'round-started', round: 0 },
      { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
      ...steps.map((each, index): EventBody => ({ type: 'plan-step-known', round: 0, index, step: each })),
    ];
    const base = runOf(plan([step(0, 'Solve it'), step(2, 'Decide', [0])]));
    const other = runOf(plan([step(1, 'Make a plan'), step(0, 'Solve it', [0]), step(2, 'Decide', [1])]));
    const rows = compared(base, other);
    expect(rows[0]?.differing).toEqual([null, null]);
    expect(partsOf(rows[1])).toEqual(['access']);
    expect(partsOf(rows[2])).toEqual([]);
  });
});

describe('promptOfStep', () => {
  test('returns the text that was sent to the worker', () => {
    const run = runOf(finishedRunBodies());
    expect(promptOfStep(run, { round: 0, step: 0 })).toBe(`${run.question.text}Solve it`);
  });

  test('returns null when the prompt refers to a step that is not in the run', () => {
    const damaged = finishedRunBodies().map((body): EventBody => {
      if (body.type !== 'step-started') return body;
      return { ...body, messages: [{ role: 'user', parts: [{ kind: 'output', round: 3, step: 0 }] }] };
    });
    expect(promptOfStep(runOf(damaged), { round: 0, step: 0 })).toBeNull();
  });
});
