/** @file Tests training in a browser without WebAssembly. */
import { expect, it, vi } from 'vitest';
import { train } from '../../../src/core/training/session';
import { SMALL_TRAINING } from './society';

vi.mock('../../../src/core/training/learning/backend', () => ({ useBackend: () => Promise.resolve(false) }));

it('the error of training without WebAssembly recommends a current browser, but not another seed', async () => {
  const order = {
    kind: 'train',
    seed: 1,
    updates: 1,
    loss: 'default',
    start: null,
    own: [],
    revision: 'test',
  } as const;
  const reports = train({ ...order, scale: SMALL_TRAINING }, new AbortController().signal);
  const next = reports.next();
  await expect(next).rejects.toThrow(/Training needs WebAssembly.*open Podium in a current/);
  await expect(next).rejects.not.toThrow(/seed/);
});
