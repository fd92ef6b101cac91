/** @file Locks within one process. A lock file keeps out other processes, see `file-lock.ts`. */
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
        // A second release has no effect, because another holder may have acquired the lock since the first release.
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
