/**
 * @file Array updates shared by the reducers. An update copies the array, unless the array was created during the current call of
 * `foldTogether`. No other code holds such an array yet, so it is changed in place. This keeps the time linear for a long run.
 */

/** Arrays created during the current call of `foldTogether`. `null`: there is no such call. */
let own: WeakSet<readonly unknown[]> | null = null;

/**
 * Runs a synchronous fold over several events. Never changes arrays that existed before. The caller must keep only the result,
 * and none of the intermediate states.
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

/** The items with one item replaced. An `index` equal to the length appends the item. */
export function replaceAt<T>(items: readonly T[], index: number, item: T): readonly T[] {
  const copy = ownCopy(items);
  copy[index] = item;
  return copy;
}

/** The items with one more item at the end. */
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
