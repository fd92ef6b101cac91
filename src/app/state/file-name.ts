/** @file Makes untrusted file names safe to show. */

/** Maximum length of a shown name, in code points. */
const LONGEST = 60;
/** Number of code points to keep at the end, so that the file extension stays visible. */
const ENDING = 20;

/**
 * Removes folders and invisible characters from a file name, and shortens a long name in the middle. Invisible characters
 * could reorder, break or hide the text around the name.
 */
export function shownName(name: string): string {
  const [last = ''] = name
    .split(/[\\/]/)
    .filter((part) => part.trim() !== '')
    .slice(-1);
  const plain = last
    .replace(/[\p{Cf}\p{Cs}\p{Cn}]/gu, '')
    .replace(/[\p{White_Space}\p{Cc}]+/gu, ' ')
    // Many combining marks on one letter would cover the lines above and below.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  const letters = [...plain];
  if (letters.length === 0) return 'unnamed file';
  if (letters.length <= LONGEST) return plain;
  return `${letters.slice(0, LONGEST - ENDING - 1).join('')}…${letters.slice(-ENDING).join('')}`;
}
