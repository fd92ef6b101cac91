/** @file Estimates storage use and quota for Settings, and asks the browser to persist storage. */
import type { StorageEstimate } from '../../core/contract';

/** `null` if the browser doesn't report an estimate. */
export async function estimateStorage(): Promise<StorageEstimate | null> {
  const storage = globalThis.navigator?.storage;
  try {
    const { usage, quota } = await storage.estimate();
    if (usage === undefined || quota === undefined) return null;
    return { used: usage, quota, persisted: await storage.persisted() };
  } catch {
    return null;
  }
}

/** The storage manager. In Web Workers, it has no `persist`. */
interface Persistable {
  persisted(): Promise<boolean>;
  persist?(): Promise<boolean>;
}

/**
 * Whether the browser is known to decide about `persistStorage` without asking the user. Chromium decides itself, and only
 * Chromium has `userAgentData`.
 */
export function decidesAlone(): boolean {
  return 'userAgentData' in navigator;
}

/**
 * Asks the browser to persist storage. Some browsers then ask the user.
 * @returns whether storage is persistent. `null` if the request fails or the browser has no such function
 */
export async function persistStorage(): Promise<boolean | null> {
  const storage: Persistable | undefined = globalThis.navigator?.storage;
  try {
    return (await storage?.persist?.()) ?? null;
  } catch {
    return null;
  }
}
