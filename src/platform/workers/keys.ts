/**
 * @file Keeps keys in the vault if the user has unlocked it, otherwise in memory until the tab is closed. A key can only be read
 * for its own origin.
 */
import type { KeySource, KeyVault } from '../../core/contract';

interface BoundKey {
  readonly origin: string;
  readonly key: string;
}

export interface Keys extends KeySource {
  isLocked(): boolean;
  /** Resolves when all changes are on disk. Rejects with the first `FaultError` since the last call. */
  settled(): Promise<void>;
}

/**
 * Keeps one key for each worker. Trims pasted keys. Setting an empty key removes the worker's key. Keys that were entered while
 * the vault was locked are stored in it when it is unlocked.
 */
export function createMemoryKeys(vault: KeyVault | null = null): Keys {
  const memory = new Map<string, BoundKey>();
  let pending: Promise<void>[] = [];

  function later(work: Promise<void>): void {
    // A failure is reported by the next call of `settled`. Until then, it must not be an unhandled rejection.
    work.catch(() => undefined);
    pending.push(work);
  }

  vault?.listen((state) => {
    // The user has removed the vault, so the keys that would be stored in it later are removed too.
    if (state === 'none') memory.clear();
    if (state !== 'unlocked') return;
    for (const [id, { origin, key }] of memory) later(vault.put(id, origin, key));
    memory.clear();
  });

  function forget(id: string): void {
    memory.delete(id);
    if (vault?.holds(id)) later(vault.remove(id));
  }

  return {
    get(id, origin) {
      const bound = memory.get(id);
      if (bound) return origin !== '' && bound.origin === origin ? bound.key : null;
      return vault?.get(id, origin) ?? null;
    },
    set(id, origin, key) {
      const trimmed = key.trim();
      if (trimmed === '') forget(id);
      else if (vault?.state === 'unlocked') later(vault.put(id, origin, trimmed));
      else memory.set(id, { origin, key: trimmed });
    },
    forget,
    isLocked: () => vault?.state === 'locked',
    async settled() {
      const current = pending;
      pending = [];
      await Promise.all(current);
    },
  };
}
