/** @file Chooses the default name, color and two-character mark of a new worker. */

/** A model's name without its folder and tag: `org/Qwen3-8B:free` → `Qwen3-8B`. */
export function nameOf(model: string): string {
  const last =
    model
      .trim()
      .split('/')
      .findLast((part) => part !== '') ?? model.trim();
  return last.split(':')[0] || last;
}

const COLOURS = 9;

/** The number (1 to 9) of the least used color. In a tie, the lowest number. */
export function freeColour(used: readonly number[]): number {
  const uses = Array.from({ length: COLOURS }, (_, index) => used.filter((colour) => colour === index + 1).length);
  return uses.indexOf(Math.min(...uses)) + 1;
}

/**
 * Chooses a mark of two characters, if possible one that no other worker has. The first character is the
 * first letter of the name. The second character is another letter of the name, or else a digit from 2 to 9.
 * If all these marks are in use, the second character is `x`.
 */
export function freeMark(name: string, used: readonly string[]): string {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, '')];
  const first = (letters[0] ?? 'W').toUpperCase();
  const rest = [...letters.slice(1).map((letter) => letter.toLowerCase()), ...'23456789'];
  const marks = rest.map((letter) => `${first}${letter}`);
  return marks.find((mark) => !used.includes(mark)) ?? `${first}x`;
}
