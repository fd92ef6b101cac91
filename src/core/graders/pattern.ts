/** @file Grades answers by a regular expression, which must match the whole final answer. */
import { fault, FaultError, type Fault, type Grader } from '../contract';
import { readPattern, type ReadPattern } from './patterns/read-pattern';
import { referenceGrader } from './reference-grader';
import { finalText, spellings, withoutPunctuation } from './text-match';

/**
 * Creates a grader for references that are regular expressions without delimiters. An answer is correct if
 * the reference matches its final text, as it is written or with straight quotes and without a final period.
 *
 * If the expression is missing or invalid, `grade` rejects with a `FaultError` (`nothing-to-grade`). If
 * Podium doesn't support the expression, or checking the answer would take too long, `grade` rejects with
 * `not-gradable`.
 */
export function createPatternGrader(): Grader {
  return referenceGrader({ extract: finalText, isSame: matches });
}

/** The reason why a reference can't grade any answer. `null`: the reference is a regular expression that Podium supports. */
export function patternFault(reference: string): Fault | null {
  const pattern = readPattern(reference);
  return pattern.ok ? null : faultOf(pattern);
}

function matches(reference: string, answer: string): boolean {
  const pattern = readPattern(reference);
  if (!pattern.ok) throw new FaultError(faultOf(pattern));
  return [...new Set(spellings(answer).flatMap((each) => [each, withoutPunctuation(each)]))].some((each) => {
    const result = pattern.matches(each);
    if (result === null) throw new FaultError(fault('not-gradable', TOO_LONG));
    return result;
  });
}

const TOO_LONG =
  'The answer is too long to be checked against the regular expression of this task. Grade the run yourself, or simplify the expression in the dataset.';

function faultOf({ isValid, problem }: Extract<ReadPattern, { readonly ok: false }>): Fault {
  const message = `${problem} Correct it in the dataset, and import the dataset again.`;
  return fault(isValid ? 'not-gradable' : 'nothing-to-grade', message);
}
