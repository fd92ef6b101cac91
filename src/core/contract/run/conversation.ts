/**
 * @file Starts a follow-up to a run: takes the question and answer of the run as the context of the next question. Not part of the
 * contract's index, because it is needed only after a run.
 */
import type { QuestionContext } from './settings';
import type { Run } from './state';

/** Maximum lengths of the earlier question and answer in a follow-up, in UTF-16 units. Longer texts are shortened. */
export const MOST_CONTEXT = { question: 4_000, answer: 12_000 } as const;

/**
 * The context for a follow-up to a run: the question and answer of the run. If the run is itself a follow-up,
 * the context does not include the run before it.
 * @returns `null` if the run has no answer
 */
export function followUpContext({
  id,
  question,
  answer,
  isConfidential,
}: Pick<Run, 'id' | 'question' | 'answer' | 'isConfidential'>): QuestionContext | null {
  if (answer === null || answer.trim() === '') return null;
  return {
    runId: id,
    question: shortened(question.text, MOST_CONTEXT.question),
    answer: shortened(answer, MOST_CONTEXT.answer),
    ...(isConfidential ? { isConfidential } : {}),
  };
}

/**
 * Shortens a text to at most `most` UTF-16 units. Two thirds come from the beginning, and one third from the end. A note between
 * them states how many units are left out.
 */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = most - mark(text.length).length;
  const head = wholeCharacters(text.slice(0, Math.ceil((kept * 2) / 3)));
  const tail = text.slice(text.length - (kept - head.length)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}${mark(text.length - head.length - tail.length)}${tail}`;
}

function mark(leftOut: number): string {
  return `\n[… ${leftOut} characters left out …]\n`;
}

/** If a text ends with the first half of a surrogate pair, drops this half. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
