import { describe, expect, test, vi } from 'vitest';
import { FaultError } from '../../src/core/contract';
import { watchUpdates, type UpdateEnvironment } from '../../src/platform/updates';
import { idle } from '../fixtures/fake-clock';

class Worker extends EventTarget {
  state: ServiceWorkerState;
  readonly messages: unknown[] = [];

  constructor(state: ServiceWorkerState) {
    super();
    this.state = state;
  }

  postMessage(message: unknown): void {
    this.messages.push(message);
  }

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

interface Parts {
  readonly active?: Worker | null;
  readonly waiting?: Worker | null;
  readonly isControlled?: boolean;
  readonly update?: () => Promise<void>;
}

/** Watches for updates in a page with fake service workers. */
async function stage({ active = new Worker('activated'), waiting = null, isControlled = true, update }: Parts = {}) {
  const installing: Worker | null = null;
  const parts = { installing, active, waiting, update: update ?? (() => Promise.resolve()) };
  const registration: typeof parts & EventTarget = Object.assign(new EventTarget(), parts);
  const container = Object.assign(new EventTarget(), {
    controller: isControlled ? active : null,
    getRegistration: () => Promise.resolve(registration),
  });
  const reload = vi.fn();
  const environment: object = { container, reload };
  const updates = await watchUpdates(environment as UpdateEnvironment);
  return { updates, registration, container, reload };
}

describe('an update', () => {
  test('is ready at the start only if a new version is already waiting', async () => {
    expect((await stage({ waiting: new Worker('installed') })).updates.isReady).toBe(true);
    expect((await stage()).updates.isReady).toBe(false);
  });

  test('is ready when a new version takes control of the page, unless it is the first version', async () => {
    const controlled = await stage();
    controlled.container.dispatchEvent(new Event('controllerchange'));
    expect(controlled.updates.isReady).toBe(true);
    const first = await stage({ isControlled: false });
    first.container.dispatchEvent(new Event('controllerchange'));
    expect(first.updates.isReady).toBe(false);
  });

  test('activates the waiting version, and then reloads the page', async () => {
    const waiting = new Worker('installed');
    const { updates, reload } = await stage({ waiting });
    const applied = updates.apply();
    await idle();
    expect(waiting.messages).toEqual(['activate']);
    expect(reload).not.toHaveBeenCalled();
    waiting.become('activated');
    await applied;
    expect(reload).toHaveBeenCalledOnce();
  });
});

test('only a page of the newest version requests the deletion of older files', async () => {
  const active = new Worker('activated');
  await stage({ active });
  expect(active.messages).toEqual(['tidy']);
  const older = new Worker('activated');
  await stage({ active: older, waiting: new Worker('installed') });
  expect(older.messages).toEqual([]);
});

test('a check for an update rejects with a retryable fault if the host cannot be reached', async () => {
  const { updates } = await stage({ update: () => Promise.reject(new TypeError('offline')) });
  const thrown = await updates.check().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(FaultError);
  expect(thrown).toMatchObject({ fault: { code: 'unreachable', retryable: true } });
});

test('an update waits until the lock of a run is released, and ignores other locks', async () => {
  let held = ['run:1', 'podium-local-model'];
  const request = vi.fn(() => {
    held = ['podium-local-model'];
    return Promise.resolve();
  });
  const locks = { query: () => Promise.resolve({ held: held.map((name) => ({ name })) }), request };
  const environment: object = { locks, reload: () => undefined };
  const updates = await watchUpdates(environment as UpdateEnvironment);
  expect(await updates.isIdle()).toBe(false);
  await updates.whenIdle(new AbortController().signal);
  expect(request).toHaveBeenCalledOnce();
  expect(await updates.isIdle()).toBe(true);
});
