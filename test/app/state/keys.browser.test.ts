import { expect, test } from 'vitest';
import { KeysState } from '../../../src/app/state/keys.svelte';
import { extrasIdOf } from '../../../src/core/contract';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { memoryVault } from '../../fixtures/memory-vault';

const ORIGIN = 'https://one.example';
const CONNECTION = { id: 'c', baseUrl: `${ORIGIN}/v1`, needsKey: true, extraNames: ['api-key'] };

test('a connection with a key and extra headers is complete only with both, and each may be in the locked vault', async () => {
  const vault = memoryVault({ passphrase: 'p', keys: { [extrasIdOf('c')]: [ORIGIN, '{"api-key":"secret"}'] } });
  const keys = createMemoryKeys(vault);
  const signIn = { start: () => Promise.resolve(), outcome: Promise.resolve(null) };
  const state = new KeysState({ vault, keys, signIn, adoptKeys: () => Promise.resolve(false) }, () =>
    Promise.resolve(),
  );
  await state.load();
  const { extraNames: _, ...withoutExtras } = CONNECTION;
  expect(state.placeOf({ ...withoutExtras, needsKey: false })).toBe('none');
  expect(state.placeOf(CONNECTION)).toBe('missing');
  expect(state.placeOf({ ...CONNECTION, needsKey: false })).toBe('locked');
  keys.set('c', ORIGIN, 'key');
  state.changed();
  expect(state.placeOf(withoutExtras)).toBe('memory');
  expect(state.placeOf(CONNECTION)).toBe('locked');
  await state.unlock('p');
  expect(state.placeOf(CONNECTION)).toBe('vault');
  expect(state.placeOf({ ...CONNECTION, baseUrl: 'https://other.example' })).toBe('missing');
});
