/** @file Maps and sets for state that is replaced and never mutated, so they need not be reactive themselves. */

export function setOf<Value>(values: Iterable<Value> = []): ReadonlySet<Value> {
  return new Set(values);
}

/** A later entry with the same key replaces an earlier one. */
export function mapOf<Key, Value>(entries: Iterable<readonly [Key, Value]> = []): ReadonlyMap<Key, Value> {
  return new Map(entries);
}
