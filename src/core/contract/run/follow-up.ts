/**
 * @file Follow-ups: questions about the answer of an earlier run. The text of the new question includes the earlier question and
 * answer, so every prompt that contains the question contains them too.
 */
import { estimateTokens } from '../money/estimate';
import { fileTokens, withFiles } from './question-file';
import type { Question, QuestionContext } from './settings';
import type { Run } from './state';

/** Maximum lengths of the earlier question and answer in a follow-up, in UTF-16 units. Longer texts are shortened. */
export const MOST_CONTEXT = { question: 4_000, answer: 12_000 } as const;

/** Stands before the earlier question and answer. */
export const CONTEXT_START = '<earlier-question>\n';
const BETWEEN = '\n</earlier-question>\n<earlier-answer>\n';
/** Stands between the earlier answer and the question. */
export const CONTEXT_END = '\n</earlier-answer>\n\nFollow-up question:\n';

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

type AskedText = Pick<Question, 'text' | 'context' | 'files'>;

/**
 * The text of the question in prompts. It includes the texts of files and, for a follow-up, the earlier question and answer.
 */
export function questionText(question: AskedText): string {
  return withFiles(withContext(question), question.files);
}

/** The approximate tokens of `questionText`. Files are counted only once, because their texts are long. */
export function questionTokens(question: AskedText): number {
  return estimateTokens(withContext(question)) + fileTokens(question.files);
}

/** The question without its files. For a follow-up, with the earlier question and answer. */
export function withContext({ text, context }: AskedText): string {
  return context ? `${CONTEXT_START}${context.question}${BETWEEN}${context.answer}${CONTEXT_END}${text}` : text;
}
