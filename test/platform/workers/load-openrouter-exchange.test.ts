import { expect, test, vi } from 'vitest';
import { createOpenRouterSignIn, type Place } from '../../../src/platform/workers/openrouter-sign-in';
import { FakeClock } from '../../fixtures/fake-clock';

vi.mock('../../../src/platform/workers/openrouter-exchange', () => {
  throw new Error('The network is off.');
});

test('if the module that completes a sign-in cannot be loaded, the error asks the user to sign in again', async () => {
  const place: Place = {
    url: 'https://podium.example/?code=code-0123',
    replace: () => undefined,
    leave: () => undefined,
    storage: { getItem: () => 'verifier', setItem: () => undefined, removeItem: () => undefined },
  };
  const kept: string[] = [];
  const signIn = createOpenRouterSignIn({
    place,
    clock: new FakeClock(),
    keep: (key) => Promise.resolve(void kept.push(key)),
    backTo: '#/workers',
  });
  expect(await signIn.outcome).toMatchObject({
    ok: false,
    fault: { message: 'Couldn’t finish the sign-in. Sign in again, or enter a key.', retryable: true },
  });
  expect(kept).toEqual([]);
});
