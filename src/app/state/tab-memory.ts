/** @file Texts in `sessionStorage`, which survives reloads of a tab. If storage is off, nothing is kept and nothing fails. */
import { parseJson } from '../../core/contract';

/** Returns an entry. `null` if there is no entry, or storage is off. */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param text `null` deletes the entry */
export function remember(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage is off or full. The page still has the text.
  }
}

/** The entry parsed as JSON. `null` if there is no entry, or if it is no valid JSON. */
export function recallJson(key: string): unknown {
  return parseJson(recall(key) ?? '') ?? null;
}
