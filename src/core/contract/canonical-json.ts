/** @file Writes equal values as equal texts. */

/**
 * JSON in which equal objects have their keys in the same order. Fields that are `undefined` are left out. `undefined` itself
 * gives `''`.
 */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
  return text ?? '';
}
