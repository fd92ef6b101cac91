import { describe, expect, test, vi } from 'vitest';
import { othersFor, recoveryActions, type ResumeOptions } from '../../../src/app/state/recovery-actions';
import type { WorkersState } from '../../../src/app/state/workers.svelte';
import {
  fault as faultOf,
  FaultError,
  toFault,
  toPoolWorker,
  type Connection,
  type WorkerSetup,
} from '../../../src/core/contract';
import type { ForkPoint } from '../../../src/core/runs/fork';
import { memoryKeys } from '../../fixtures/memory-keys';
import { finishedRun } from '../scripted-runs';

const HOST = 'https://api.example.com';
const SETUP: WorkerSetup = {
  id: 'w1',
  connection: 'c1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: `${HOST}/v1`,
  model: 'big-1',
  price: null,
  description: '',
  needsKey: true,
};

/**
 * Resumes a run with a new key for a worker.
 * @param store writes the keys to disk
 * @returns the fault or `null`, the saved connections, and a function that returns the key stored for an origin
 */
async function give(
  worker: ReturnType<typeof toPoolWorker>,
  setups: readonly WorkerSetup[],
  store: () => Promise<void> = () => Promise.resolve(),
) {
  const keys = { ...memoryKeys(), settled: store };
  keys.set('c1', HOST, 'before');
  const saved: Connection[] = [];
  const { baseUrl } = SETUP;
  const workers: Partial<WorkersState> = {
    setups,
    connections: [{ id: 'c1', baseUrl, needsKey: false }],
    saveConnection: (connection) => {
      saved.push(connection);
      return Promise.resolve();
    },
  };
  let giving: Promise<void> | undefined;
  const resume = vi.fn((options?: ResumeOptions) => (giving = options?.before?.() ?? Promise.resolve()));
  const ways = recoveryActions({
    keys,
    workers: workers as WorkersState,
    resume,
    run: () => null,
    fork: () => undefined,
  });
  ways.resumeWithKey(worker, 'after');
  expect(resume).toHaveBeenCalledOnce();
  if (!giving) throw new Error('The run was not resumed.');
  const fault = await giving.then(() => null, toFault);
  return { fault, saved, keyAt: (origin: string) => keys.get('c1', origin) };
}

describe('a new key for a worker of a failed run', () => {
  test('is stored if the run and the worker’s setup name the same origin', async () => {
    const { fault, saved, keyAt } = await give(toPoolWorker(SETUP), [SETUP]);
    expect([fault, keyAt(HOST)]).toEqual([null, 'after']);
    expect(saved, 'the setup needs no change').toEqual([]);
  });

  test('sets `needsKey` in a setup that had no key, so that calls send the new key', async () => {
    const { fault, saved, keyAt } = await give(toPoolWorker(SETUP), [{ ...SETUP, needsKey: false }]);
    expect([fault, keyAt(HOST)]).toEqual([null, 'after']);
    expect(saved).toEqual([{ id: 'c1', baseUrl: SETUP.baseUrl, needsKey: true }]);
  });

  test('prevents the resume with the storage error if the key cannot be stored', async () => {
    const full = new FaultError(faultOf('storage-full', 'The disk is full. Delete some runs.'));
    const { fault, saved } = await give(toPoolWorker(SETUP), [{ ...SETUP, needsKey: false }], () =>
      Promise.reject(full),
    );
    expect(fault).toEqual(full.fault);
    expect(saved).toEqual([]);
  });

  test.each([
    ['an origin that only the run names', { ...toPoolWorker(SETUP), origin: 'http://evil.example' }, [SETUP]],
    ['a worker that is not set up', toPoolWorker(SETUP), []],
    ['a worker that the user has not confirmed', toPoolWorker(SETUP), [{ ...SETUP, unconfirmed: true }]],
  ])(
    'is rejected for %s with an error that names the next step, and replaces no other key',
    async (_, worker, setups) => {
      const { fault, saved, keyAt } = await give(worker, setups);
      expect(fault).toEqual({
        code: 'worker-missing',
        message: 'Big is no longer set up with the address that this run used. Enter its key under Workers.',
        retryable: false,
      });
      expect([keyAt(HOST), keyAt('http://evil.example')]).toEqual(['before', null]);
      expect(saved).toEqual([]);
    },
  );
});

test('reassigning a step proposes a fork that changes only the worker of the step', () => {
  const run = finishedRun();
  const fork = vi.fn();
  const workers: Partial<WorkersState> = {};
  const ways = recoveryActions({
    keys: memoryKeys(),
    workers: workers as WorkersState,
    resume: () => Promise.resolve(),
    run: () => run,
    fork,
  });
  const [, , third] = run.pool;
  if (!third) throw new Error('The pool must have three workers.');
  ways.reassignStep({ round: 0, step: 1 }, third);
  const steps = run.rounds[0]?.plan?.workflow?.steps ?? [];
  expect(steps.length).toBeGreaterThan(2);
  expect(fork).toHaveBeenCalledExactlyOnceWith({
    round: 0,
    step: 1,
    workflow: { steps: steps.map((each, index) => (index === 1 ? { ...each, worker: 2 } : each)) },
  });
});

test('“Try again” resumes the run unchanged, and raising a cap resumes it with the raised cap', () => {
  const resume = vi.fn((_?: ResumeOptions) => Promise.resolve());
  const workers: Partial<WorkersState> = {};
  const run = finishedRun();
  const ways = recoveryActions({
    keys: memoryKeys(),
    workers: workers as WorkersState,
    resume,
    run: () => run,
    fork: () => undefined,
  });
  ways.resume();
  expect(resume).toHaveBeenCalledExactlyOnceWith();
  ways.resumeWithCap('usd', 2);
  expect(resume.mock.calls.slice(1)).toEqual([[{ raised: { usd: 2 } }]]);
});

test('`own` contains the user’s real workers, and no simulated workers', () => {
  const desk = toPoolWorker(SETUP);
  const workers: Partial<WorkersState> = { offered: [...finishedRun().pool, desk] };
  const ways = recoveryActions({
    keys: memoryKeys(),
    workers: workers as WorkersState,
    resume: () => Promise.resolve(),
    run: () => null,
    fork: () => undefined,
  });
  expect(ways.own).toEqual([desk]);
});

test.each([
  [{}, {}],
  [{ reasoning: null }, {}],
  [{ reasoning: 'off' }, { thinks: false }],
  [{ reasoning: 'low' }, { thinks: true }],
  [{ reasoning: 'high', reasoningTokens: 0 }, { thinks: false }],
  [{ reasoningTokens: 4096 }, { thinks: true }],
] as const)('the pool entry of a worker records whether its setup requests thinking: %o', (setup, known) => {
  const { thinks } = toPoolWorker({ ...SETUP, ...setup });
  expect({ ...(thinks === undefined ? {} : { thinks }) }).toEqual(known);
});

describe('a step whose simulated worker could not read the question', () => {
  const desk = toPoolWorker(SETUP);

  test('can be given only to the user’s workers, and with recursion only to those in the run’s pool', () => {
    const run = finishedRun();
    expect(othersFor(run, 0, { own: [desk], isUnreadable: true })).toEqual([desk]);
    expect(othersFor(run, 0, { own: [desk], isUnreadable: false })).toEqual(run.pool.slice(1));
    expect(othersFor({ ...run, recursion: true }, 0, { own: [desk], isUnreadable: true })).toEqual([]);
    expect(othersFor({ ...run, pool: [...run.pool, desk] }, 0, { own: [desk], isUnreadable: true })).toEqual([desk]);
  });

  test('can be given to a worker outside the pool, together with another step', () => {
    const run = finishedRun();
    const fork = vi.fn((_: ForkPoint) => undefined);
    const workers: Partial<WorkersState> = {};
    const ways = recoveryActions({
      keys: memoryKeys(),
      workers: workers as WorkersState,
      resume: () => Promise.resolve(),
      run: () => run,
      fork,
    });
    ways.reassignStep({ round: 0, step: 0 }, desk, [2]);
    const [point] = fork.mock.lastCall ?? [];
    expect(point).toMatchObject({ round: 0, step: 0, joining: ['w1'] });
    const own = point?.workflow?.steps.flatMap(({ worker }, index) => (worker === run.pool.length ? [index] : []));
    expect(own).toEqual([0, 2]);
  });
});
