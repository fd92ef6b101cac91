/** @file Locks within one process. `file-lock.ts` has the locks between processes. */
import { unlessAborted, type Locks } from '../../core/contract';

export function createProcessLocks(): Locks {
  const held = new Map<string, Promise<void>>();
  return {
    acquire(name) {
      if (held.has(name)) return Promise.resolve(null);
      let free: () => void = () => undefined;
      held.set(name, new Promise((resolve) => (free = resolve)));
      let isReleased = false;
      return Promise.resolve(() => {
        // Ignores a second release, because the lock may have a new holder since the first release.
        if (isReleased) return;
        isReleased = true;
        held.delete(name);
        free();
      });
    },
    async whenFree(name, signal) {
      for (let holder = held.get(name); holder; holder = held.get(name)) await unlessAborted(holder, signal);
      signal.throwIfAborted();
    },
  };
}
