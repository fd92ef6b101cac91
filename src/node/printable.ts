/**
 * @file Removes control characters from the text of models and files. In a terminal, control
 * characters can move the cursor or change settings.
 */

/** Removes invisible format characters, and all control characters except newlines and tabs. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

/**
 * Puts the text on one line, without control characters. A line of more than `most` characters is cut to `most`
 * characters, including a final `…`.
 */
export function oneLine(text: string, most: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}
