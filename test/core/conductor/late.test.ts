import { describe, expect, it } from 'vitest';
import { createHeuristicConductor, HEURISTIC_INFO, lateConductor } from '../../../src/core/conductor';
import { fault, FaultError } from '../../../src/core/contract';
import { ending, proposed, request } from './requests';

describe('a Conductor that comes late', () => {
  it('says what the loaded one says, and is not loaded before it is asked', async () => {
    let loads = 0;
    const late = lateConductor(HEURISTIC_INFO, async () => {
      loads += 1;
      return createHeuristicConductor();
    });
    expect(loads).toBe(0);
    expect(await proposed(late, request())).toEqual(await proposed(createHeuristicConductor(), request()));
    expect(loads).toBe(1);
  });

  it('fails its plan where it cannot be loaded', async () => {
    const late = lateConductor(HEURISTIC_INFO, async () => {
      throw new FaultError(fault('internal', 'A part could not be loaded.', { retryable: true }));
    });
    const failed = ending(await proposed(late, request()), 'plan-failed');
    expect(failed.fault).toMatchObject({ message: 'A part could not be loaded.', retryable: true });
  });

  it('is not loaded for a request that was called off', async () => {
    const late = lateConductor(HEURISTIC_INFO, () => Promise.reject(new Error('Must not load.')));
    await expect(proposed(late, request(), AbortSignal.abort())).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});
