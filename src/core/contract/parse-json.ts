/** @file Parses untrusted JSON, which a schema then validates. */

/** Parses a JSON text, with or without a byte order mark. Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return value;
  } catch {
    return undefined;
  }
}

/** Whether a value from JSON is an object, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
