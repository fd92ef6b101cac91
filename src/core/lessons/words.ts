/** @file Normalizes texts to words, so that texts can be compared despite case, punctuation and inflection. */

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const DIGITS = new Map(NUMBERS.map((word, number) => [word, String(number)]));

/** The words of a text in lower case, without accents. Number words become digits, and separators inside numbers are removed. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/(?<=\d)[,'’ ](?=\d{3}(?!\d))/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => DIGITS.get(word) ?? stemOf(word));
}

/** Removes the most frequent English endings. A wrong stem does no harm, because both texts get the same one. */
function stemOf(word: string): string {
  if (word.length < 5) return word;
  return word.replace(/(?:ings?|ed|es|s|ly)$/, '');
}

/** All runs of `size` consecutive words, each as one text. A shorter list of words has none. */
export function runsOfWords(words: readonly string[], size: number): Set<string> {
  const runs = new Set<string>();
  for (let start = 0; start + size <= words.length; start++) runs.add(words.slice(start, start + size).join(' '));
  return runs;
}
