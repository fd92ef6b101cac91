/** @file Tests of the values that the index stores for a run. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexRun } from '../../../src/core/analysis/index-run';
import { applyEvents, foldEvents, type EventBody, type Run } from '../../../src/core/contract';
import { endedRun } from '../../fixtures/run-arbitrary';
import { finishedRunBodies, poolWorker, runStarted, stampEvents, step } from '../../fixtures/run-events';
import { plannedAgain } from './planned-again';

function runFrom(bodies: readonly EventBody[]): Run {
  const run = applyEvents(null, stampEvents(bodies));
  if (!run) throw new Error('A run begins with its start.');
  return run;
}

it('the index entry of a run leaves out a step that only requests the next round', () => {
  const conductor = poolWorker(1, { id: 'conductor', name: 'Conductor', kind: 'conductor' });
  const [, ...bodies] = finishedRunBodies();
  const handing = bodies.flatMap((body): EventBody[] => {
    if (body.type === 'plan-step-known' || body.type === 'run-finished') return [];
    if (body.type === 'plan-finished') {
      return [{ ...body, workflow: { steps: [step(0, 'Solve it'), step(1, 'Go on', [0])] } }];
    }
    if (body.type === 'round-finished') return [{ ...body, outcome: 'recursed' }];
    return 'step' in body && body.step !== 0 ? [] : [body];
  });
  const run = runFrom([runStarted({ pool: [poolWorker(0), conductor], recursion: true }), ...handing]);
  expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'recursed']);
  expect(indexRun(run).run.steps.map(({ worker }) => worker)).toEqual(['Alder']);
});

it('the index entry of a run stores the cost and the unpriced calls of judges separately from those of the run', () => {
  const judge = (cost: number | null): EventBody => ({
    type: 'run-graded',
    correct: true,
    by: 'grader',
    detail: '',
    judge: { batchId: 'b', sha256: 'c'.repeat(64), usage: null, cost },
  });
  const { run } = indexRun(runFrom([...finishedRunBodies(), judge(0.002), judge(0.003), judge(null)]));
  expect(run.judgeUsd).toBeCloseTo(0.005, 12);
  expect(run.judgeUnpriced).toBe(1);
  expect(run.summary).toMatchObject({ usd: expect.closeTo(0.003, 12), unpriced: 0 });
});

it('the cost of plans includes candidates, retries and a plan that was interrupted', () => {
  const run = foldEvents(plannedAgain());
  expect(run && indexRun(run).run.planUsd).toBeCloseTo(0.16, 12);
});

it('the costs of plans and steps add up to the cost of the run if no plan was replaced', () => {
  fc.assert(
    fc.property(endedRun(), (events) => {
      const run = foldEvents(events);
      if (!run) throw new Error('A run begins with its start.');
      const { planUsd, steps, summary } = indexRun(run).run;
      expect(steps.reduce((sum, { usd }) => sum + usd, planUsd)).toBeCloseTo(summary.usd, 9);
    }),
    { numRuns: 40 },
  );
});

it('the index entry of a check counts its verdicts by whether they are true, and leaves out answers of unknown truth', () => {
  const [opening, ...bodies] = finishedRunBodies();
  if (opening?.type !== 'run-started') throw new Error('A run begins with its start.');
  const verdicts = [
    { step: 0, verdict: 'right' as const },
    { step: 1, verdict: 'wrong' as const },
  ];
  const planned = [
    step(0, 'Solve it'),
    step(0, 'Solve it'),
    { ...step(1, 'Check both', [0, 1]), role: 'verify' as const },
  ];
  const pool = [poolWorker(0), poolWorker(1)];
  const none = { usage: null, cost: null, finishReason: null };
  const plan = bodies.find((body) => body.type === 'plan-started');
  if (!plan) throw new Error('There is no plan.');
  const run = runFrom([
    { ...opening, pool },
    { type: 'round-started', round: 0 },
    plan,
    {
      type: 'plan-finished',
      round: 0,
      workflow: { steps: planned },
      thought: '',
      text: '',
      source: 'conductor',
      ...none,
    },
    ...['41', '42', 'Checked.'].flatMap((output, index): EventBody[] => {
      const key = { round: 0, step: index, attempt: 0 };
      const said = index === 2 ? { verdicts } : {};
      return [
        { type: 'step-started', ...key, workerId: pool[index === 2 ? 1 : 0]?.id ?? '', messages: [], sha256: '' },
        { type: 'step-finished', ...key, output, reasoning: '', ...none, ...said },
      ];
    }),
  ]);
  const checksWith = (truth: (answer: string) => boolean | null) => indexRun(run, truth).run.steps[2]?.checks;
  const nothing = { right: 0, wrong: 0, unsure: 0 };
  expect(checksWith((answer) => answer === '42')).toEqual({
    right: { ...nothing, wrong: 1 },
    wrong: { ...nothing, right: 1 },
  });
  expect(checksWith((answer) => (answer === '42' ? true : null))).toEqual({
    right: { ...nothing, wrong: 1 },
    wrong: nothing,
  });
  expect(checksWith(() => null)).toBeUndefined();
});
