/**
 * @file Reads a regular expression that a dataset gives as the reference. The browser's own regular expressions can take exponential
 * time, and code on the same thread can't stop them. Therefore an expression runs as an automaton, with the same results as
 * `new RegExp(pattern, 'iu')`.
 */
import { RegExpParser } from '@eslint-community/regexpp';
import { automatonOf, UnfitPattern, type Automaton } from './automaton';
import { acceptsAll } from './match';

export type ReadPattern =
  | {
      readonly ok: true;
      /** Whether the expression matches the whole text, ignoring case. `null`: checking the text would take too long. */
      readonly matches: (text: string) => boolean | null;
    }
  | {
      readonly ok: false;
      /** Whether the expression is valid, but not supported by Podium. */
      readonly isValid: boolean;
      /** The problem, as one sentence. */
      readonly problem: string;
    };

/** Reads an expression. Never throws. @param source a regular expression without delimiters */
export function readPattern(source: string): ReadPattern {
  let automaton: Automaton;
  try {
    automaton = automatonOf(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { ok: false, isValid: false, problem: INVALID };
    // Any other error is a stack overflow, because the expression is nested too deeply.
    const reason = thrown instanceof UnfitPattern ? thrown.reason : 'too-large';
    return { ok: false, isValid: true, problem: PROBLEMS[reason] };
  }
  return { ok: true, matches: (text) => acceptsAll(automaton, text) };
}

const INVALID = 'The reference is not a valid regular expression.';
const PROBLEMS: Readonly<Record<UnfitPattern['reason'], string>> = {
  'back-reference':
    'The reference is a regular expression with a back-reference, such as \\1. Podium can’t check these in a limited time.',
  flags: 'The reference is a regular expression with flags inside, such as (?i:…). Podium doesn’t support these.',
  'too-large': 'The reference is a regular expression with too many parts or repetitions.',
};
