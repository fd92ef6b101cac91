/**
 * @file Array updates for the reducers. An update normally copies the array. But an array that was created
 * during the current call of `foldTogether` is changed in place, because no other code refers to it yet. So
 * the time to fold the events of a run grows only linearly with their number.
 */

/** Arrays created during the current call of `foldTogether`. `null`: no call is in progress. */
let own: WeakSet<readonly unknown[]> | null = null;

/**
 * Runs a synchronous fold over several events. Never changes arrays that existed before the call. The fold must not keep
 * intermediate states, because later updates may change their arrays.
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

/** Returns the items with one item replaced. An `index` equal to the length appends the item. */
export function replaceAt<T>(items: readonly T[], index: number, item: T): readonly T[] {
  const copy = ownCopy(items);
  copy[index] = item;
  return copy;
}

/** Returns the items with one more item at the end. */
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
