import { afterEach, expect, test, vi } from 'vitest';
import { keepForOffline, offlineReady, type Container } from '../../src/platform/offline';
import { FakeClock, idle } from '../fixtures/fake-clock';

afterEach(() => vi.restoreAllMocks());

/** A service worker whose state the test sets. */
class Worker extends EventTarget implements Pick<ServiceWorker, 'state'> {
  state: ServiceWorkerState;

  constructor(state: ServiceWorkerState) {
    super();
    this.state = state;
  }

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

interface Registration {
  readonly installing: Worker | null;
  readonly active: Worker | null;
}

/** A fake `navigator.serviceWorker`. Its service worker takes control of the page when the test calls `takeOver`. */
function container(registration: Registration | null, controller: Worker | null = null) {
  const target = new EventTarget();
  const register = vi.fn(() =>
    registration ? Promise.resolve(registration) : Promise.reject(new Error('no service workers here')),
  );
  const own = { controller, register, addEventListener: target.addEventListener.bind(target) };
  const takeOver = () => target.dispatchEvent(new Event('controllerchange'));
  return { own: own as object as Container, register, takeOver };
}

const first = () => ({ installing: new Worker('installing'), active: null });

/** Whether `offlineReady` has resolved after all pending work. */
async function isKept(): Promise<boolean> {
  let settled = false;
  void offlineReady().then(() => (settled = true));
  await idle();
  return settled;
}

test('on a first visit, `offlineReady` resolves when the service worker takes control of the page', async () => {
  const { own, register, takeOver } = container(first());
  void keepForOffline(own, new FakeClock());
  expect(await isKept()).toBe(false);
  expect(register).toHaveBeenCalledWith('./sw.js');
  takeOver();
  expect(await isKept()).toBe(true);
});

test('`offlineReady` resolves at once if a service worker is already active, even after a forced reload', async () => {
  const active = new Worker('activated');
  void keepForOffline(container({ installing: null, active }, active).own, new FakeClock());
  expect(await isKept()).toBe(true);
  void keepForOffline(container({ installing: null, active }).own, new FakeClock());
  expect(await isKept()).toBe(true);
});

test('`offlineReady` resolves when the browser discards the service worker', async () => {
  const registration = first();
  void keepForOffline(container(registration).own, new FakeClock());
  expect(await isKept()).toBe(false);
  registration.installing.become('redundant');
  expect(await isKept()).toBe(true);
});

test('`offlineReady` resolves and a note is logged if service workers are not available', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  void keepForOffline(container(null).own, new FakeClock());
  expect(await isKept()).toBe(true);
  expect(info).toHaveBeenCalledOnce();
});

test('`keepForOffline` resolves after 30 seconds if the service worker has not taken control', async () => {
  const clock = new FakeClock('auto');
  await keepForOffline(container(first()).own, clock);
  expect(clock.monotonic()).toBe(30_000);
});
