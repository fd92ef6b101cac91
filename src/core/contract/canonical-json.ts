/** @file Writes equal values as equal texts. */
import { isRecord } from './parse-json';

/** JSON with sorted keys. Fields that are `undefined` are left out. The value `undefined` gives `''`. */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
  return text ?? '';
}
