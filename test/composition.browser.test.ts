import { describe, expect, test } from 'vitest';
import { compose } from '../src/composition';
import { BY_HAND_INFO } from '../src/core/conductor';
import { FaultError, type PlanEvent, type PlanRequest } from '../src/core/contract';

const services = compose();

const asked: PlanRequest = {
  question: 'What is 2 + 2?',
  pool: services.simulated,
  maxSteps: 5,
  access: 'fine',
  recursion: false,
  round: 0,
  earlier: [],
  seed: 1,
};

async function lastOf(events: AsyncIterable<PlanEvent>): Promise<PlanEvent | undefined> {
  let last: PlanEvent | undefined;
  for await (const event of events) last = event;
  return last;
}

describe('the Conductors of saved runs', () => {
  test('are found again by what the run remembers of them', async () => {
    const instant = services.conductors(services.simulated, []).filter((choice) => choice.instant);
    expect(instant.length).toBeGreaterThan(4);
    for (const { info } of instant) {
      const conductor = services.conductor(info);
      expect(conductor.info).toEqual(info);
      expect((await lastOf(conductor.propose(asked, new AbortController().signal)))?.type).toBe('plan-finished');
    }
  });

  test('a plan written by hand keeps the answer in a later round', async () => {
    const workflow = { steps: [{ worker: 0, subtask: 'Add.', access: [] }] };
    const later = { ...asked, round: 1, earlier: [{ workflow, outputs: ['4'], answer: '4' }] };
    const last = await lastOf(services.conductor(BY_HAND_INFO).propose(later, new AbortController().signal));
    expect(last).toMatchObject({ type: 'plan-finished', workflow: { steps: [] }, source: 'person' });
  });

  test('one that was removed is a fault with a sentence', () => {
    const gone = { id: 'endpoint:gone', label: 'Gone', kind: 'endpoint', origin: 'https://x.example.com' } as const;
    expect(() => services.conductor(gone)).toThrow(FaultError);
    expect(() => services.conductor(gone)).toThrow('The Conductor Gone is not here any more.');
  });
});
