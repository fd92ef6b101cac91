import { describe, expect, it } from 'vitest';
import { planFigures, stepFigures } from '../../../src/app/run/run-figures';
import { foldEvents, sampleRunId } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const round = foldEvents(stampEvents(finishedRunBodies()))?.rounds[0];

function costs(runId: string): unknown[] {
  if (!round?.plan || !round.steps[0]) throw new Error('The run has no step.');
  const [step] = round.steps;
  const attempts = step.attempts.map((attempt) => ({ ...attempt, cost: 0.25, billed: false }));
  const plan = {
    ...round.plan,
    messages: [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }],
    cost: 0.5,
    billed: false,
  };
  return [stepFigures({ ...step, attempts }, runId), planFigures(plan, runId)].map(
    (figures) => figures.find(({ name }) => name === 'Cost')?.value,
  );
}

describe('the cost of a step and of a plan', () => {
  it('is shown as estimated in the user’s own run if the provider reported no cost', () => {
    expect(costs('own')).toEqual(['$0.25 estimated', '$0.50 estimated']);
  });

  it('is marked as “at made-up prices” in a sample run', () => {
    expect(costs(sampleRunId(1))).toEqual(['$0.25 at made-up prices', '$0.50 at made-up prices']);
  });
});
