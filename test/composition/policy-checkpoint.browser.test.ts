/**
 * @file Tests which checkpoint (the weights of a policy) Conductors use. If the user's own policy is in
 * use and its checkpoint can be read, Conductors use this checkpoint. Otherwise, they use the shipped one.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { KeptPolicy } from '../../src/core/contract';
import { useOwnPolicies, loadPolicyCheckpoint, loadShippedCheckpoint } from '../../src/composition/policy-checkpoint';
import { keptPolicy } from '../fixtures/kept-policy';

const { checkpoint, ...rest } = keptPolicy('1');
const inUse = (policy: KeptPolicy | null) => {
  useOwnPolicies({ inUse: () => '1', get: () => Promise.resolve(policy) });
};

describe('the checkpoint that Conductors use', () => {
  afterEach(() => useOwnPolicies({ inUse: () => null, get: () => Promise.resolve(null) }));

  it('belongs to the policy in use', async () => {
    inUse({ ...rest, checkpoint });
    expect((await loadPolicyCheckpoint()).revision).toBe('revision-1');
  });

  it.each([
    ['deleted', null],
    ['made for other features', { ...rest, checkpoint: { ...checkpoint, workerFeatures: 3 } }],
    ['damaged', { ...rest, checkpoint: { ...checkpoint, weights: 'AAAA' } }],
  ])('is the shipped checkpoint if the policy in use is %s', async (_, policy) => {
    inUse(policy);
    expect(await loadPolicyCheckpoint()).toBe(await loadShippedCheckpoint());
  });
});
