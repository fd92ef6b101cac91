import { afterEach, expect, test, vi } from 'vitest';
import { keepForOffline, whenKept, type Container } from '../../src/platform/offline';
import { FakeClock, idle } from '../fixtures/fake-clock';

afterEach(() => vi.restoreAllMocks());

/** A container whose worker takes over when the test says so. */
function container({ refuses = false, isControlled = false } = {}) {
  const target = new EventTarget();
  const registered: string[] = [];
  const own: Container = {
    controller: isControlled ? ({} as ServiceWorker) : null,
    register(script) {
      registered.push(String(script));
      if (refuses) return Promise.reject(new Error('no service workers here'));
      return Promise.resolve({} as ServiceWorkerRegistration);
    },
    addEventListener: target.addEventListener.bind(target),
  };
  return { own, registered, takeOver: () => target.dispatchEvent(new Event('controllerchange')) };
}

/** Whether the promise is settled once all that can go on has gone on. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await idle();
  return settled;
}

test('waits until the worker has taken the page over', async () => {
  const { own, registered, takeOver } = container();
  void keepForOffline(own, './sw.js', new FakeClock());
  expect(await isSettled(whenKept())).toBe(false);
  expect(registered).toEqual(['./sw.js']);
  takeOver();
  expect(await isSettled(whenKept())).toBe(true);
});

test('does not wait on a page that the worker has already', async () => {
  const { own } = container({ isControlled: true });
  void keepForOffline(own, './sw.js', new FakeClock());
  expect(await isSettled(whenKept())).toBe(true);
});

test('goes on where there can be no worker, and says so', async () => {
  const said = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const { own } = container({ refuses: true });
  void keepForOffline(own, './sw.js', new FakeClock());
  expect(await isSettled(whenKept())).toBe(true);
  expect(said).toHaveBeenCalledOnce();
});

test('does not wait for ever', async () => {
  const clock = new FakeClock('auto');
  await keepForOffline(container().own, './sw.js', clock);
  expect(clock.monotonic()).toBe(30_000);
});
