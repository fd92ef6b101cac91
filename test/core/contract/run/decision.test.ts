import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldEvents, heldPlan, summarize, type EventBody, type Run } from '../../../../src/core/contract';
import { runStarted, stampEvents, step } from '../../../fixtures/run-events';

type TimedBody = EventBody & { elapsed?: number; segment?: number };

const workflow = { steps: [step(0, 'Solve'), step(1, 'Decide', [0])] };
const edited = { steps: [step(1, 'Solve'), step(1, 'Decide', [0])] };
const planned: TimedBody[] = [
  { ...runStarted({ approval: true }), elapsed: 0 },
  { type: 'round-started', round: 0, elapsed: 0 },
  { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [], elapsed: 100 },
  {
    type: 'plan-finished',
    round: 0,
    workflow,
    thought: '',
    text: '',
    source: 'conductor',
    usage: null,
    cost: null,
    finishReason: null,
    elapsed: 300,
  },
];
const held: TimedBody = { type: 'plan-held', round: 0, heldFor: 'approval', elapsed: 300 };

function fold(bodies: readonly TimedBody[]): Run {
  const run = foldEvents(stampEvents(bodies));
  if (!run) throw new Error('no run');
  return run;
}

describe('a run that waits for the user', () => {
  it('reports its waiting plan until the user approves or chooses a plan', () => {
    expect(heldPlan(fold(planned))).toBeNull();
    expect(heldPlan(fold([...planned, held]))).toMatchObject({ round: 0, heldFor: 'approval' });
    expect(heldPlan(fold([...planned, held, { type: 'plan-approved', round: 0, elapsed: 9000 }]))).toBeNull();
    const choice: TimedBody = { type: 'plan-held', round: 0, heldFor: 'choice', elapsed: 300 };
    const chosen: TimedBody = { type: 'plan-chosen', round: 0, candidate: 0, by: 'person', elapsed: 9000 };
    expect(heldPlan(fold([...planned, choice, chosen]))).toBeNull();
  });

  it('is listed as waiting after an interruption, but not after it is canceled', () => {
    expect(summarize(fold([...planned, held])).held).toBe('approval');
    expect(summarize(fold([...planned, held, { type: 'run-interrupted', elapsed: 300 }])).held).toBe('approval');
    expect(summarize(fold([...planned, held, { type: 'run-cancelled', elapsed: 300 }]))).not.toHaveProperty('held');
    expect(summarize(fold(planned))).not.toHaveProperty('held');
  });

  it('adds no active time while it waits, even if the user edits the plan', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 5 }), fc.nat(1000), (waits, work) => {
        let elapsed = 300;
        const edits = waits.map((wait, index): TimedBody => {
          elapsed += wait;
          return { type: 'plan-edited', round: 0, workflow: index % 2 === 0 ? edited : workflow, elapsed };
        });
        const approved: TimedBody = { type: 'plan-approved', round: 0, elapsed };
        const queued: TimedBody = { type: 'step-queued', round: 0, step: 0, attempt: 0, elapsed: elapsed + work };
        expect(fold([...planned, held, ...edits]).time).toBe(300);
        const run = fold([...planned, held, ...edits, approved, queued]);
        expect(run.time).toBe(300 + work);
        expect(run.rounds[0]?.plan).toMatchObject({ proposed: workflow, edited: waits.length % 2 === 1 });
      }),
    );
  });

  it('keeps the edited plan, and counts no wait as active time, after it is interrupted and resumed', () => {
    const run = fold([
      ...planned,
      held,
      { type: 'plan-edited', round: 0, workflow: edited, elapsed: 5000 },
      { type: 'run-interrupted', elapsed: 5000 },
      { type: 'run-resumed', segment: 1, elapsed: 0 },
      { type: 'plan-held', round: 0, heldFor: 'approval', segment: 1, elapsed: 0 },
      { type: 'plan-approved', round: 0, segment: 1, elapsed: 7000 },
      { type: 'step-queued', round: 0, step: 0, attempt: 0, segment: 1, elapsed: 7020 },
    ]);
    expect(run).toMatchObject({ status: 'running', time: 320 });
    expect(run.rounds[0]?.plan).toMatchObject({ workflow: edited, approved: true, edited: true });
  });
});
