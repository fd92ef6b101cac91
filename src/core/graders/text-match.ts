/** @file Grades answers by text: the answer must equal the reference. */
import type { Grader } from '../contract';
import { lastTagged } from './answer-tags';
import { referenceGrader } from './reference-grader';

/** An answer is correct if its final part equals the reference. Case, the amount of white space and a final period don't count. */
export function createExactGrader(): Grader {
  return referenceGrader({ extract: finalText, isSame: (reference, answer) => plain(reference) === plain(answer) });
}

/** The content of the last answer tags, or else the last line that is not blank. `null`: the response is blank. */
export function finalText(response: string): string | null {
  const lines = response.split('\n').map((line) => line.trim());
  return lastTagged(response) ?? lines.findLast((line) => line !== '') ?? null;
}

function plain(text: string): string {
  return text.trim().replace(/\.$/, '').replace(/\s+/g, ' ').toLowerCase();
}
