/**
 * @file Keys. They are in memory only and gone when the tab is closed, unless the user keeps a vault and has opened it: then
 * they lie there. No code can read one for another origin.
 */
import type { KeySource, KeyVault } from '../../core/contract';

interface BoundKey {
  readonly origin: string;
  readonly key: string;
}

export interface Keys extends KeySource {
  isLocked(): boolean;
  /** Resolves when all that was set and forgotten is so on disk, too; rejects with the first `FaultError` since it was asked last. */
  settled(): Promise<void>;
}

/**
 * Keeps one key for each worker. White space around a pasted key is dropped; setting an empty key forgets it. What was given
 * while the vault was locked goes into it as soon as it opens.
 */
export function createMemoryKeys(vault: KeyVault | null = null): Keys {
  const memory = new Map<string, BoundKey>();
  let pending: Promise<void>[] = [];

  function later(work: Promise<void>): void {
    // Whoever asks hears of it; until then it is no unhandled rejection.
    work.catch(() => undefined);
    pending.push(work);
  }

  vault?.listen((state) => {
    // All were forgotten, those that never came to lie in it, too.
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
      const asked = pending;
      pending = [];
      await Promise.all(asked);
    },
  };
}
