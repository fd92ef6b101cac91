/**
 * @file Creates immutable sets and maps for reactive state. Each change replaces the whole set or map,
 * so `SvelteSet` and `SvelteMap` are not needed.
 */

export function setOf<Value>(values: Iterable<Value> = []): ReadonlySet<Value> {
  return new Set(values);
}

/** If several entries have the same key, the last entry wins. */
export function mapOf<Key, Value>(entries: Iterable<readonly [Key, Value]> = []): ReadonlyMap<Key, Value> {
  return new Map(entries);
}
