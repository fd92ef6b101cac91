/** @file Treats a worker's answer without visible text as a fault. */
import { fault, type Fault, type FinishReason, type PoolWorker } from '../contract';

/**
 * The fault if an answer is blank, with advice that depends on the finish reason. `null`: the answer has text.
 * @param outputLimit the output limit in tokens, if a budget lowered the limit. Otherwise `null`
 */
export function emptyReply(
  output: string,
  finishReason: FinishReason,
  { name }: PoolWorker,
  outputLimit: number | null,
): Fault | null {
  if (output.trim() !== '') return null;
  if (finishReason === 'length' && outputLimit !== null) {
    const message = `${name} used up all its tokens before it began to answer. Its output was limited to ${outputLimit} tokens to stay within the budget. Raise the budget and run the step again.`;
    return fault('empty-reply', message);
  }
  if (finishReason === 'length') {
    const message = `${name} used up all its tokens before it began to answer. Raise the max output tokens and run the step again.`;
    return fault('empty-reply', message);
  }
  if (finishReason === 'content-filter') {
    const message = `${name} blocked its answer with a content filter. Rephrase the question, or use another worker.`;
    return fault('empty-reply', message);
  }
  return fault('empty-reply', `${name} gave an empty answer. Run the step again, or use another worker.`);
}
