/** @file Formats a value of a table as a short text. */

/** Maximum length of a text, in UTF-16 units. Longer texts are cut off, and an ellipsis is added. */
const LONGEST = 120;

export function cellText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
