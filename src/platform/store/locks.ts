/**
 * @file Cross-tab locks. The browser gives back what a tab held when that tab is gone, which is how a dead run is known.
 */
import { fault, FaultError, type Locks } from '../../core/contract';

/** Web Locks. Without them (a page that is not served over https or from localhost) every `take` rejects and says so. */
export function createWebLocks(manager: LockManager | null = globalThis.navigator?.locks ?? null): Locks {
  /** Locks that were given back here; the browser takes a moment to know, in which they must not look taken. */
  const returning = new Map<string, Promise<unknown>>();
  return {
    async take(name) {
      if (!manager) throw new FaultError(fault('storage-failed', NO_LOCKS));
      await returning.get(name);
      return new Promise((resolve, reject) => {
        const held = manager.request(name, { ifAvailable: true }, (lock) => {
          if (!lock) return resolve(null);
          // The lock is held for as long as this promise is pending.
          return new Promise<void>((end) => {
            resolve(() => {
              end();
              returning.set(name, held);
            });
          });
        });
        held.catch(reject).finally(() => returning.delete(name));
      });
    },
    async whenFree(name, signal) {
      if (!manager) throw new FaultError(fault('storage-failed', NO_LOCKS));
      // Shared, so that all who wait are let in at once and none keeps the next holder out for long.
      await manager.request(name, { mode: 'shared', signal }, () => undefined);
    },
  };
}

const NO_LOCKS =
  'Podium cannot keep two tabs from writing the same run here. Open it over https or from localhost, in a current browser.';
