/**
 * @file Watches for newer versions of Podium. The browser downloads a newer version beside the current version. The new service
 * worker waits until the page activates it, or until no tab of Podium is open. This module is lazy-loaded.
 */
import { batchLock, fault, FaultError, runLock, type AppUpdates } from '../core/contract';

export interface UpdateEnvironment {
  /** Absent if the page has no service worker. Such a page has no updates. */
  readonly container?: Pick<ServiceWorkerContainer, 'addEventListener' | 'controller' | 'getRegistration'> | undefined;
  /** Absent if the page has no Web Locks. On such a page, no run can start. */
  readonly locks?: Pick<LockManager, 'query' | 'request'> | undefined;
  readonly reload: () => void;
}

/** Prefixes of the names of locks that are held during runs and batches. A reload would interrupt these runs and batches. */
const WORK = [runLock(''), batchLock('')];

/** Call it after the service worker is registered, because new versions are found through its registration. */
export async function watchUpdates({ container, locks, reload }: UpdateEnvironment): Promise<AppUpdates> {
  const registration = await container?.getRegistration();
  const listeners = new Set<() => void>();
  let isReady = false;
  const makeReady = () => {
    isReady = true;
    for (const listener of [...listeners]) listener();
  };
  const follow = (worker: ServiceWorker) =>
    worker.addEventListener('statechange', () => worker.state === 'installed' && registration?.active && makeReady());

  if (registration?.waiting) makeReady();
  if (registration?.installing) follow(registration.installing);
  registration?.addEventListener('updatefound', () => registration.installing && follow(registration.installing));
  let isControlled = Boolean(container?.controller);
  container?.addEventListener('controllerchange', () => {
    // Another tab has switched to the newer version.
    if (isControlled) makeReady();
    isControlled = true;
  });
  // No newer version is waiting, so the service worker of this version may remove the files of older versions.
  if (!isReady) registration?.active?.postMessage('tidy');

  const heldLock = async () => {
    const { held = [] } = (await locks?.query()) ?? {};
    return held.flatMap(({ name = '' }) => (WORK.some((start) => name.startsWith(start)) ? [name] : []))[0];
  };
  return {
    get isReady() {
      return isReady;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async check() {
      try {
        await registration?.update();
      } catch (thrown) {
        const message = 'Couldn’t check for updates. Check your connection and try again.';
        throw new FaultError(fault('unreachable', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
      }
      if (registration?.installing) await settled(registration.installing);
      return isReady;
    },
    async whenIdle(signal) {
      for (;;) {
        const lock = await heldLock();
        signal.throwIfAborted();
        if (lock === undefined) return;
        await locks?.request(lock, { mode: 'shared', signal }, () => undefined);
      }
    },
    isIdle: async () => (await heldLock()) === undefined,
    async apply() {
      const waiting = registration?.waiting;
      if (waiting) {
        const over = settled(waiting, 'activated');
        waiting.postMessage('activate');
        await over;
      }
      reload();
    },
  };
}

/** Resolves when the service worker has reached the given state, was activated, or was discarded. */
function settled(worker: ServiceWorker, reached: ServiceWorkerState = 'installed'): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === reached || worker.state === 'activated' || worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });
}
