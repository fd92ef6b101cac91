/**
 * @file Turns the regular expression of a task into an automaton. JavaScript's `RegExp` can take
 * exponential time and can't be interrupted. The automaton accepts exactly the texts that
 * `new RegExp(pattern, 'iu')` can match from start to end.
 */
import { RegExpParser } from '@eslint-community/regexpp';
import { automatonOf, UnfitPattern, type Automaton } from './automaton';
import { acceptsAll } from './match';

export type ReadPattern =
  | {
      readonly ok: true;
      /** Whether the expression matches the whole text, ignoring case. `null`: the check would take too long. */
      readonly matches: (text: string) => boolean | null;
    }
  | {
      readonly ok: false;
      /** `true`: the expression is valid, but Podium doesn't support it. */
      readonly isValid: boolean;
      /** The problem, as one sentence. */
      readonly problem: string;
    };

/** Compiles an expression. Never throws. @param source a regular expression without slashes around it */
export function readPattern(source: string): ReadPattern {
  let automaton: Automaton;
  try {
    automaton = automatonOf(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { ok: false, isValid: false, problem: INVALID };
    // An error other than `UnfitPattern` is a stack overflow: the expression is nested too deeply.
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
