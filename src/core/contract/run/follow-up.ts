/**
 * @file A follow-up: a question about the answer of an earlier run. The earlier question and answer are part of the new
 * question, so workers and the Conductor read them wherever a prompt refers to the question.
 */
import type { Question, QuestionContext } from './settings';
import type { Run } from './state';

/** Maximum lengths of an earlier question and of an earlier answer in a follow-up, in UTF-16 units. Longer texts are shortened. */
export const MOST_CONTEXT = { question: 4_000, answer: 12_000 } as const;

const OPENING = '<earlier-question>\n';
const BETWEEN = '\n</earlier-question>\n<earlier-answer>\n';
const CLOSING = '\n</earlier-answer>\n\nFollow-up question:\n';

/**
 * The context of a follow-up to a run: the run's own question and answer. If the run is itself a follow-up, the result does not
 * include the question and answer before it.
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
 * Shortens a text to at most `most` UTF-16 units. Two thirds are taken from its beginning and one third from its end. In between,
 * the result states how many units are left out.
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

/** Drops half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** The question as workers and the Conductor read it. A follow-up contains the earlier question and answer. */
export function questionText({ text, context }: Pick<Question, 'text' | 'context'>): string {
  return context ? `${OPENING}${context.question}${BETWEEN}${context.answer}${CLOSING}${text}` : text;
}

/** The follow-up question alone, from a text made by `questionText`. Other texts are unchanged. */
export function withoutContext(text: string): string {
  if (!text.startsWith(OPENING)) return text;
  const end = text.indexOf(CLOSING);
  return end < 0 ? text : text.slice(end + CLOSING.length);
}
