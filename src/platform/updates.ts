/**
 * @file Detects newer versions of Podium and switches to them. The browser downloads a newer
 * version in the background. Its service worker waits until the page activates it, or until all
 * tabs of Podium are closed. This module is lazy-loaded.
 */
import { batchLock, fault, FaultError, runLock, type AppUpdates } from '../core/contract';

export interface UpdateEnvironment {
  /** Absent if the page can't use service workers, such as over plain http. Then there are no updates. */
  readonly container?: Pick<ServiceWorkerContainer, 'addEventListener' | 'controller' | 'getRegistration'> | undefined;
  /** Absent if the page can't use Web Locks, such as over plain http. Then no run can start. */
  readonly locks?: Pick<LockManager, 'query' | 'request'> | undefined;
  readonly reload: () => void;
}

/**
 * Name prefixes of the locks that runs and batches hold. A reload would interrupt these runs and
 * batches.
 */
const WORK = [runLock(''), batchLock('')];

/**
 * Starts watching for newer versions. Call this after the service worker is registered, because the
 * registration reports newer versions.
 */
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
    // If a service worker already controlled this page, another tab has switched to the newer
    // version.
    if (isControlled) makeReady();
    isControlled = true;
  });
  // No newer version is waiting, so this version's service worker may delete files of older
  // versions.
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

/** Resolves when the service worker reaches the given state, is activated, or is discarded. */
function settled(worker: ServiceWorker, reached: ServiceWorkerState = 'installed'): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === reached || worker.state === 'activated' || worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });
}
