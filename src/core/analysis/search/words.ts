/** @file Splits the search text into words and "quoted phrases". */
import { foldText } from './fold-text';

const QUOTES = /["“”„«»]/;
const PHRASE = /["“”„«]([^"“”„«»]*)(?:["“”„»]|$)/g;

const MOST_WORDS = 24;

/** The words and phrases of the search text, normalized by `foldText`, without duplicates. */
export function wordsOf(typed: string): readonly string[] {
  const found: string[] = [];
  const rest = typed.replace(PHRASE, (_, phrase: string) => {
    found.push(foldText(phrase).trim());
    return ' ';
  });
  for (const word of rest.split(/\s+/)) found.push(...foldText(word.replace(QUOTES, '')).trim().split(' '));
  return [...new Set(found)].filter((word) => word !== '').slice(0, MOST_WORDS);
}
