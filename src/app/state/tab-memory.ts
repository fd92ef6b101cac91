/** @file What a tab remembers across a reload, for as long as it lives. */

/** `null` where nothing was kept, or where the browser keeps nothing. */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param text `null` to forget */
export function remember(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage is off or full: what was to be kept still stands in the page.
  }
}

/** As JSON; `null` also where it is none. */
export function recallJson(key: string): unknown {
  try {
    const value: unknown = JSON.parse(recall(key) ?? 'null');
    return value;
  } catch {
    return null;
  }
}
