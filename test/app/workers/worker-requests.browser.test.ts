import { describe, expect, test } from 'vitest';
import { WorkerRequests } from '../../../src/app/workers/worker-requests.svelte';
import { abortError, fault, FaultError, type WorkerSetup } from '../../../src/core/contract';
import { scriptedTester } from '../../fixtures/scripted-tester';

const SETUP: WorkerSetup = {
  id: 'w1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: 'https://api.example.com/v1',
  model: 'big-1',
  price: null,
  description: '',
  needsKey: false,
};
const nothing = () => Promise.resolve();

describe('the list of models', () => {
  test('counts as loading until its listener has finished, and shows the listener’s fault', async () => {
    const failed = new FaultError(fault('storage-failed', 'The list could not be stored.'));
    let fail: () => void = () => undefined;
    const listened = new Promise<void>((_, reject) => (fail = () => reject(failed)));
    const tester = scriptedTester({ models: () => Promise.resolve([{ id: 'big-1' }]) });
    const requests = new WorkerRequests(
      () => Promise.resolve(tester),
      () => listened,
    );
    const listing = requests.list(SETUP.baseUrl, { key: null, extras: null }, 'custom');
    await expect.poll(() => requests.models).toEqual([{ id: 'big-1' }]);
    expect(requests.isListing).toBe(true);
    fail();
    expect(await listing).toEqual(failed.fault);
    expect(requests.isListing).toBe(false);
  });
});

describe('the test of a worker', () => {
  test('can be stopped without a fault', async () => {
    const signals: AbortSignal[] = [];
    const tester = scriptedTester({
      async *test(_setup, _key, signal) {
        signals.push(signal);
        yield { name: 'address', state: 'running', detail: '' };
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortError())));
      },
    });
    const requests = new WorkerRequests(() => Promise.resolve(tester), nothing);
    const testing = requests.test(SETUP, { key: null, extras: null });
    await expect.poll(() => requests.checks.length).toBe(1);
    expect(requests.isTesting).toBe(true);
    requests.stop();
    await testing;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect([requests.isTesting, requests.fault]).toEqual([false, null]);
  });

  test('shows a fault if the tester cannot be loaded', async () => {
    const missing = new FaultError(fault('internal', 'A part of Podium could not be loaded.'));
    const requests = new WorkerRequests(() => Promise.reject(missing), nothing);
    await requests.test(SETUP, { key: null, extras: null });
    expect(requests.fault).toEqual(missing.fault);
    expect(requests.isTesting).toBe(false);
  });
});
