/**
 * @file Checks the strength of a passphrase. A backup can contain the vault, so an attacker who has the backup can make any
 * number of guesses. This module is lazy-loaded when the user chooses a passphrase, because its lists of passwords are large.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/**
 * The number of guesses that a strong passphrase must withstand, as a power of ten. With 600,000 iterations of PBKDF2, a graphics
 * card needs about twelve days for that many guesses.
 */
const FEWEST_GUESSES = 10;

/** Words that a passphrase for this page is likely to contain. */
const OWN_WORDS = ['podium', 'conductor', 'openrouter', 'openai', 'anthropic', 'api key', 'apikey', 'passphrase'];

const meter = new ZxcvbnFactory({ dictionary: { ...dictionary }, graphs: adjacencyGraphs });

/** The reason that is shown to the user, for each of zxcvbn's warnings. */
const REASONS: Readonly<Record<string, string>> = {
  straightRow: 'it follows a row of the keyboard',
  keyPattern: 'it follows a pattern of the keyboard',
  simpleRepeat: 'it repeats the same characters',
  extendedRepeat: 'it repeats itself',
  sequences: 'it is a sequence such as “abc” or “123”',
  recentYears: 'it is mostly a year',
  dates: 'it is mostly a date',
  topTen: 'it is one of the most common passwords',
  topHundred: 'it is one of the most common passwords',
  common: 'it is a common password',
  similarToCommon: 'it is close to a common password',
  wordByItself: 'it is a single word',
  namesByThemselves: 'it is a name',
  commonNames: 'it is a name',
  userInputs: 'it is a word of this page',
};

/** Why a passphrase is too easy to guess and what to do, or `null` if it is strong enough. */
export function weaknessOf(passphrase: string): string | null {
  // Normalizes the text as the vault does, because keyboards can encode the same letters as different characters.
  const typed = passphrase.normalize('NFKC');
  // Spaces between words do not make guessing harder.
  const found = [typed, typed.replace(/\s/g, '')].map((text) => meter.check(text, OWN_WORDS));
  const weakest = found.toSorted((one, other) => one.guessesLog10 - other.guessesLog10)[0];
  if (!weakest || weakest.guessesLog10 >= FEWEST_GUESSES) return null;
  const reason = REASONS[weakest.feedback.warning ?? ''] ?? 'its parts are easy to guess';
  return `This passphrase is weak: ${reason}. Use four or more unrelated words, for example picked at random from a book.`;
}
