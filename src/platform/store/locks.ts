/**
 * @file Cross-tab locks. The browser releases a tab's locks when the tab closes. Another tab can then acquire the lock of a
 * run that still looks unfinished, and mark that run as interrupted.
 */
import { fault, FaultError, type Locks } from '../../core/contract';

/**
 * Creates locks from the Web Locks API. A page that is not served over https or from localhost has no such API. On such
 * a page, `acquire` and `whenFree` reject with a `FaultError`.
 */
export function createWebLocks(manager: LockManager | null = globalThis.navigator?.locks ?? null): Locks {
  /**
   * The locks that this tab is still releasing, by name. `acquire` first waits until such a lock is released.
   * Otherwise, `acquire` would report the lock as held.
   */
  const returning = new Map<string, Promise<unknown>>();
  return {
    async acquire(name) {
      if (!manager) throw new FaultError(fault('storage-failed', NO_LOCKS));
      await returning.get(name);
      return new Promise((resolve, reject) => {
        const held = manager.request(name, { ifAvailable: true }, (lock) => {
          if (!lock) return resolve(null);
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
      // Requests the lock in shared mode, so that all waiting tabs continue at the same time. Releases it immediately.
      await manager.request(name, { mode: 'shared', signal }, () => undefined);
    },
  };
}

const NO_LOCKS =
  'This page can’t prevent two tabs from writing the same run. Open Podium over https or from localhost, in a current browser.';
