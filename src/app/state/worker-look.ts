/** @file The default name, colour and mark of a new worker. */

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

/** The first unused of the nine colours. If all are in use, the least used colour. */
export function freeColour(used: readonly number[]): number {
  const uses = Array.from({ length: COLOURS }, (_, index) => used.filter((colour) => colour === index + 1).length);
  return uses.indexOf(Math.min(...uses)) + 1;
}

/**
 * A mark of two characters, if possible one that no other worker has. The first character is the first letter of the name. The
 * second character is another letter of the name, or else a digit. If all such marks are in use, the second character is `x`.
 */
export function freeMark(name: string, used: readonly string[]): string {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, '')];
  const first = (letters[0] ?? 'W').toUpperCase();
  const rest = [...letters.slice(1).map((letter) => letter.toLowerCase()), ...'23456789'];
  const marks = rest.map((letter) => `${first}${letter}`);
  return marks.find((mark) => !used.includes(mark)) ?? `${first}x`;
}
