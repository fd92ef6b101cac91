import { describe, expect, test, vi } from 'vitest';
import { waysOn } from '../../../src/app/state/ways-on';
import type { WorkersState } from '../../../src/app/state/workers.svelte';
import { toFault, toPoolWorker, type WorkerSetup } from '../../../src/core/contract';
import { memoryKeys } from '../../fixtures/memory-keys';

const HOST = 'https://api.example.com';
const SETUP: WorkerSetup = {
  id: 'w1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: `${HOST}/v1`,
  model: 'big-1',
  price: null,
  description: '',
  needsKey: true,
};

/** Enters a key for a worker of a run. @returns the fault, and the keys after that */
async function give(worker: ReturnType<typeof toPoolWorker>, setups: readonly WorkerSetup[]) {
  const keys = memoryKeys();
  keys.set('w1', HOST, 'before');
  let giving: Promise<void> = Promise.resolve();
  const ways = waysOn({
    keys,
    workers: { setups, save: () => Promise.resolve() } as Partial<WorkersState> as WorkersState,
    resume: (options) => (giving = options?.before?.() ?? Promise.resolve()),
    proposeFork: () => undefined,
  });
  ways.resumeWithKey(worker, 'after');
  const fault = await giving.then(() => null, toFault);
  return { fault, keyAt: (origin: string) => keys.get('w1', origin) };
}

describe('a key entered for a worker of a failed run', () => {
  test('is stored if the worker is set up at the origin of the run', async () => {
    const { fault, keyAt } = await give(toPoolWorker(SETUP), [SETUP]);
    expect([fault, keyAt(HOST)]).toEqual([null, 'after']);
  });

  test.each([
    ['an origin that only the run names', { ...toPoolWorker(SETUP), origin: 'http://evil.example' }, [SETUP]],
    ['a worker that is not set up', toPoolWorker(SETUP), []],
    ['a worker that nobody has confirmed', toPoolWorker(SETUP), [{ ...SETUP, unconfirmed: true }]],
  ])('is not stored for %s, and replaces no other key', async (_, worker, setups) => {
    const { fault, keyAt } = await give(worker, setups);
    expect(fault?.code).toBe('worker-missing');
    expect([keyAt(HOST), keyAt('http://evil.example')]).toEqual(['before', null]);
  });
});

test('giving a step to another worker proposes a fork from that step', () => {
  const proposeFork = vi.fn();
  const workers: Partial<WorkersState> = {};
  const resume = () => Promise.resolve();
  waysOn({ keys: memoryKeys(), workers: workers as WorkersState, resume, proposeFork }).giveStepTo(
    { round: 0, step: 1 },
    2,
  );
  expect(proposeFork).toHaveBeenCalledExactlyOnceWith({ round: 0, step: 1, worker: 2 });
});
