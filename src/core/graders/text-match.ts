/** @file Grades answers by text: the answer must equal the reference. */
import type { Grader } from '../contract';
import { lastTagged } from './answer-tags';
import { referenceGrader } from './reference-grader';

/**
 * An answer is correct if its final part equals the reference. The comparison ignores case, the amount of white space, a final
 * period, Markdown emphasis and a label such as “Answer:”.
 */
export function createExactGrader(): Grader {
  return referenceGrader({
    extract: finalText,
    isSame: (reference, answer) => spellings(answer).some((each) => plain(each) === plain(reference)),
  });
}

/** The content of the last answer tags, or else the last line that is not blank. `null`: the response is blank. */
export function finalText(response: string): string | null {
  const lines = response.split('\n').map((line) => line.trim());
  return lastTagged(response) ?? lines.findLast((line) => line !== '') ?? null;
}

const LABEL = /^[*_`\s]*(?:final\s+)?answer[*_`\s]*:/i;

/** The answer as written. If it has a label or Markdown emphasis, also the answer without them. */
export function spellings(answer: string): readonly string[] {
  const bare = answer.replace(LABEL, '').replace(/^[*_`\s]+|(?<![*_`\s])[*_`\s]+(?:(\.)[*_`\s]*)?$/g, '$1');
  return bare === answer || bare === '' ? [answer] : [answer, bare];
}

function plain(text: string): string {
  return text.trim().replace(/\.$/, '').replace(/\s+/g, ' ').toLowerCase();
}
