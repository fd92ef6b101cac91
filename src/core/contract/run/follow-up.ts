/**
 * @file Follow-ups: questions about the answer of an earlier run. The text of the new question includes the earlier questions and
 * answers of the conversation, so every prompt that contains the question contains them too.
 */
import { estimateTokens } from '../money/estimate';
import { fileTokens, withFiles } from './question-file';
import type { Question } from './settings';

/** Maximum number of earlier turns in a follow-up. */
export const MOST_TURNS = 100;

/** Stands before the earlier question and answer. */
export const CONTEXT_START = '<earlier-question>\n';
const BETWEEN = '\n</earlier-question>\n<earlier-answer>\n';
const NEXT_TURN = `\n</earlier-answer>\n\n${CONTEXT_START}`;
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
  if (!context) return text;
  const turns = [...(context.earlier ?? []), context].map(({ question, answer }) => question + BETWEEN + answer);
  return `${CONTEXT_START}${turns.join(NEXT_TURN)}${CONTEXT_END}${text}`;
}

/** The place of a follow-up in its conversation. `null`: the question is not a follow-up. Runs of older versions know one turn. */
export function threadOf({
  context,
}: Pick<Question, 'context'>): { readonly id: string; readonly turn: number } | null {
  return context ? { id: context.first ?? context.runId, turn: context.turn ?? 2 } : null;
}
