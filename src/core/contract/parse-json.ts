/** @file Parses untrusted JSON, which a schema then validates. */

/** Parses a JSON text. Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
