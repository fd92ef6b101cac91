/** @file One immutable update that the reducers share. */

/** A copy with one item replaced. */
export function replaceAt<T>(items: readonly T[], index: number, item: T): T[] {
  const copy = [...items];
  copy[index] = item;
  return copy;
}
