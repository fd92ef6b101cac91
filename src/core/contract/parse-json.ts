/** @file Parses JSON of unknown origin, before a schema reads it. */

/** The value of a JSON text. `undefined`: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
