/** @file Copies some of an object's fields. */

/** Copies the named fields, without fields that are `undefined`. */
export function picked<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name>;
export function picked(from: object, names: readonly string[]): object {
  const values: Readonly<Record<string, unknown>> = { ...from };
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}
