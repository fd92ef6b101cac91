/**
 * @file The updates of arrays that the reducers share. Immutable, except for arrays that were made within the same
 * `foldTogether`: nobody else has seen those yet, so a long run folds in linear time.
 */

/** Arrays made in the current `foldTogether`; `null` outside of one. */
let own: WeakSet<readonly unknown[]> | null = null;

/**
 * Runs a synchronous fold over several events. Arrays that existed before are never changed. Of the states in between, only
 * the result may be kept.
 */
export function foldTogether<T>(fold: () => T): T {
  if (own) return fold();
  own = new WeakSet();
  try {
    return fold();
  } finally {
    own = null;
  }
}

/** The items with one of them replaced; an `index` equal to the length adds it. */
export function replaceAt<T>(items: readonly T[], index: number, item: T): readonly T[] {
  const copy = ownCopy(items);
  copy[index] = item;
  return copy;
}

/** The items and one more. */
export function append<T>(items: readonly T[], item: T): readonly T[] {
  return replaceAt(items, items.length, item);
}

function ownCopy<T>(items: readonly T[]): T[] {
  if (isOwn(items)) return items;
  const copy = [...items];
  own?.add(copy);
  return copy;
}

function isOwn<T>(items: readonly T[]): items is T[] {
  return own?.has(items) === true;
}
