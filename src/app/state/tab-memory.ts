/**
 * @file Reads and writes `sessionStorage`, which survives reloads of a tab. If the user has disabled
 * storage, reads return `null` and writes do nothing.
 */
import { parseJson } from '../../core/contract';

/** Returns an entry. `null`: there is no such entry, or storage is disabled. */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores an entry. @param text `null` deletes the entry */
export function remember(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage is disabled or full. The text is then lost on reload.
  }
}

/** Returns an entry, parsed as JSON. `null`: there is no such entry, or it is not valid JSON. */
export function recallJson(key: string): unknown {
  return parseJson(recall(key) ?? '') ?? null;
}
