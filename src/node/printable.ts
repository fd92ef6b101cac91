/** @file Removes control characters from texts of models and files, so that they can't move the cursor or change the terminal. */

/** Removes invisible format characters, and all control characters except newlines and tabs. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

/** The text on one line, without control characters. Longer texts are cut to `most` characters with `…` as the last one. */
export function oneLine(text: string, most: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}
