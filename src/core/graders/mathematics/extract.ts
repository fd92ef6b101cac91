/**
 * @file Finds the final answer in a response: in answer tags, in boxes (`\boxed`), after the marker `####`, or in the sentence
 * that states it.
 */
import { lastTagged } from '../answer-tags';
import { boxed, lastBox } from './boxes';
import { normalized } from './plain-text';
import { statementIn } from './statement-search';

/** The final answer as LaTeX or plain text. `null`: no answer was found. */
export function extractAnswer(response: string): string | null {
  const text = normalized(response);
  const tagged = lastTagged(text);
  return tagged === null ? inside(text) : (inside(tagged) ?? tagged);
}

function inside(text: string): string | null {
  return concluded(text) ?? boxed(text) ?? marked(text) ?? statementIn(text);
}

/**
 * The answer in a sentence such as “The final answer is 12” after the last box. Such a sentence shows that the box was only an
 * intermediate result.
 */
function concluded(text: string): string | null {
  const box = lastBox(text);
  const at = [...text.matchAll(/final answer is:?\s*(?=\$|\\\(|\\\[|-?\d)/gi)].at(-1);
  if (box < 0 || !at || at.index < box) return null;
  return statementIn(text.slice(at.index));
}

/**
 * The answer on the last line that begins with `####`, as in the solutions of GSM8K. Such a line is a heading if it has no number
 * at its start and more text follows.
 */
function marked(text: string): string | null {
  const lines = [...text.matchAll(/^[ \t]*####[ \t]*([^\s#][^\n]{0,120})$/gm)];
  const line = lines.findLast(({ index, 0: whole, 1: content = '' }) => {
    const isLast = text.slice(index + whole.length).trim() === '';
    return isLast || (/^[-$€£(]*[.\d]/.test(content) && !/^\d{1,2}[.):]\s+\S/.test(content));
  });
  const content = line?.[1]?.trim();
  return content === undefined ? null : (statementIn(content) ?? content);
}
