/** @file Splits the search text into words and "quoted phrases". */
import { foldText } from './fold-text';

const QUOTES = /["“”„«»]/;
const PHRASE = /["“”„«]([^"“”„«»]*)(?:["“”„»]|$)/g;

/** Maximum number of words and phrases of a query. */
const MOST_WORDS = 24;

/**
 * The words and phrases that must occur in a run's texts, without duplicates, as `foldText` writes them. A phrase may contain
 * spaces.
 */
export function wordsOf(typed: string): readonly string[] {
  const found: string[] = [];
  const rest = typed.replace(PHRASE, (_, phrase: string) => {
    found.push(foldText(phrase).trim());
    return ' ';
  });
  for (const word of rest.split(/\s+/)) found.push(...foldText(word.replace(QUOTES, '')).trim().split(' '));
  return [...new Set(found)].filter((word) => word !== '').slice(0, MOST_WORDS);
}
