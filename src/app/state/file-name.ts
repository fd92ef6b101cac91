/** @file Names of files from anywhere, as the page may show them. */

/** Most characters of a name. */
const LONGEST = 60;
/** So many of them from the end, where the kind of file stands. */
const ENDING = 20;

/**
 * The name without its folders, and without characters that are not seen but turn, break or hide what stands around them; too
 * long, it is shortened in the middle.
 */
export function shownName(name: string): string {
  const [last = ''] = name
    .split(/[\\/]/)
    .filter((part) => part.trim() !== '')
    .slice(-1);
  const plain = last
    .replace(/[\p{Cf}\p{Cs}\p{Cn}]/gu, '')
    .replace(/[\p{White_Space}\p{Cc}]+/gu, ' ')
    // Marks piled on one letter reach over the lines above and below.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  const letters = [...plain];
  if (letters.length === 0) return 'unnamed file';
  if (letters.length <= LONGEST) return plain;
  return `${letters.slice(0, LONGEST - ENDING - 1).join('')}…${letters.slice(-ENDING).join('')}`;
}
