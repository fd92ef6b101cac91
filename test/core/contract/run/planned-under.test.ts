/** @file Tests that each plan of a resumed run is read with the settings under which it was written. */
import { expect, it } from 'vitest';
import {
  foldEvents,
  planRequestOf,
  settingsOfRound,
  resumablePlan,
  type EventBody,
  type Run,
  type Step,
} from '../../../../src/core/contract';
import { poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';

const pool = [poolWorker(0), poolWorker(1, { kind: 'conductor' })];
const before = { pool, recursion: true, maxSteps: 8, caps: { rounds: 3, calls: 9, tokens: null, usd: null } };
const after = { maxSteps: 2, candidates: 4, caps: { ...before.caps, rounds: 1 } };

function planned(round: number, steps: readonly Step[]): EventBody[] {
  const nothing = { thought: '', text: '', usage: null, cost: null, finishReason: null };
  return [
    { type: 'round-started', round },
    { type: 'plan-started', round, conductor: runStarted().conductor, messages: [] },
    { type: 'plan-finished', round, workflow: { steps }, source: 'conductor', ...nothing },
  ];
}

function runOf(start: Parameters<typeof runStarted>[0], bodies: readonly EventBody[]): Run {
  const run = foldEvents(stampEvents([runStarted(start), ...bodies]));
  if (!run) throw new Error('No run.');
  return run;
}

it('reads a planned round with its original settings, even if the run resumes with other settings', () => {
  const resumed: EventBody[] = [{ type: 'run-interrupted' }, { type: 'run-resumed', ...after }];
  const run = runOf(before, [...planned(0, [step(0, 'a')]), ...resumed, ...planned(1, [step(0, 'b')])]);
  expect(settingsOfRound(run, 0)).toMatchObject({ ...before, candidates: 1 });
  expect(settingsOfRound(run, 1)).toMatchObject({ ...after, pool });
  const old = planRequestOf(settingsOfRound(run, 0), { round: 0 });
  expect(old).toMatchObject({ maxSteps: 8, candidates: 1, recursion: true, pool });
  const latest = planRequestOf(settingsOfRound(run, 1), { round: 1 });
  expect(latest).toMatchObject({ maxSteps: 2, candidates: 4, recursion: false, pool: [pool[0]] });
});

it('uses the current settings for a round that is not planned yet', () => {
  const run = runOf(before, [{ type: 'run-interrupted' }, { type: 'run-resumed', ...after }]);
  expect(settingsOfRound(run, 0)).toMatchObject(after);
});

it('a resumed run keeps a finished plan only if it has at most 16 steps and fits the step limit of its round', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => step(0, `part ${index}`));
  const standing = (maxSteps: number, count: number) => {
    const run = runOf({ ...before, maxSteps }, [
      ...planned(0, many(count)),
      { type: 'run-interrupted' },
      { type: 'run-resumed', maxSteps: 1 },
    ]);
    const [round] = run.rounds;
    return round ? (resumablePlan(run, round)?.steps.length ?? null) : undefined;
  };
  expect([standing(8, 8), standing(8, 9), standing(1_000_000, 16), standing(1_000_000, 17)]).toEqual([
    8,
    null,
    16,
    null,
  ]);
});
