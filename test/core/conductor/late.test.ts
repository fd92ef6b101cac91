import { describe, expect, it } from 'vitest';
import { createHeuristicConductor, HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { lateConductor } from '../../../src/core/conductor/late';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { fault, FaultError, foldEvents, type PlanEvent, type Run } from '../../../src/core/contract';
import { runStarted, stampEvents } from '../../fixtures/run-events';
import { ending, proposed, request } from './requests';

function runOf(plan: readonly PlanEvent[]): Run {
  const bodies = plan.map((event) => ({ ...event, round: 0 }));
  const run = foldEvents(stampEvents([runStarted(), { type: 'round-started', round: 0 }, ...bodies]));
  if (!run) throw new Error('The events contain no run.');
  return run;
}

describe('a lazy-loaded Conductor', () => {
  it('returns the plan of the loaded Conductor, and loads it only when a plan is requested', async () => {
    let loads = 0;
    const late = lateConductor(HEURISTIC_INFO, async () => {
      loads += 1;
      return createHeuristicConductor();
    });
    expect(loads).toBe(0);
    expect(await proposed(late, request())).toEqual(await proposed(createHeuristicConductor(), request()));
    expect(loads).toBe(1);
  });

  it('fails to plan when it cannot be loaded, and gives the reason', async () => {
    const late = lateConductor(HEURISTIC_INFO, async () => {
      throw new FaultError(fault('internal', 'A part could not be loaded.', { retryable: true }));
    });
    const failed = ending(await proposed(late, request()), 'plan-failed');
    expect(failed.fault).toMatchObject({ message: 'A part could not be loaded.', retryable: true });
  });

  it('uses the fallback when it cannot be loaded, and records the fallback in the plan', async () => {
    const lost = fault('internal', 'The trained policy could not be loaded.', { retryable: true });
    const late = lateConductor(POLICY_INFO, () => Promise.reject(new FaultError(lost)), createHeuristicConductor());
    const events = await proposed(late, request());
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'plan-started', conductor: { kind: 'policy' } },
      { type: 'plan-retried', fault: { message: lost.message }, next: 'fallback' },
    ]);
    const alone = await proposed(createHeuristicConductor(), request());
    expect(events.slice(2)).toEqual(
      alone.slice(1).map((event) => (event.type === 'plan-finished' ? { ...event, source: 'fallback' } : event)),
    );
    expect(runOf(events).rounds[0]?.plan).toMatchObject({ source: 'fallback', conductor: { kind: 'policy' } });
  });

  it('rejects an aborted request without waiting for the Conductor to load', async () => {
    const stop = new AbortController();
    const late = lateConductor(POLICY_INFO, () => new Promise(() => undefined), createHeuristicConductor());
    const requested = proposed(late, request(), stop.signal);
    stop.abort();
    await expect(requested).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('is not loaded if the signal is already aborted', async () => {
    const late = lateConductor(HEURISTIC_INFO, () => Promise.reject(new Error('Must not load.')));
    await expect(proposed(late, request(), AbortSignal.abort())).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});
