/** @file How much the browser lets Podium keep, and whether it may throw it away. For Settings. */

export interface StorageEstimate {
  /** Bytes in use by all that Podium keeps, downloaded models included; an estimate. */
  readonly used: number;
  /** Bytes it may come to. */
  readonly quota: number;
  /** Whether the browser keeps it until the user deletes it, even when the disk runs low. */
  readonly persisted: boolean;
}

/** `null` where the browser does not tell. */
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

/** A worker's storage cannot ask. */
interface Persistable {
  persisted(): Promise<boolean>;
  persist?(): Promise<boolean>;
}

/** Asks the browser to keep what is stored. Some ask the user. @returns whether it will; `null` where it cannot be asked */
export async function persistStorage(): Promise<boolean | null> {
  const storage: Persistable | undefined = globalThis.navigator?.storage;
  try {
    return (await storage?.persist?.()) ?? null;
  } catch {
    return null;
  }
}
