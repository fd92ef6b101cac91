/**
 * @file Follow-ups: questions about the answer of an earlier run. The text of the new question includes the earlier question and
 * answer, so every prompt that contains the question contains them too.
 */
import { estimateTokens } from '../money/estimate';
import { fileTokens, withFiles } from './question-file';
import type { Question } from './settings';

/** Stands before the earlier question and answer. */
export const CONTEXT_START = '<earlier-question>\n';
const BETWEEN = '\n</earlier-question>\n<earlier-answer>\n';
/** Stands between the earlier answer and the question. */
export const CONTEXT_END = '\n</earlier-answer>\n\nFollow-up question:\n';

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
