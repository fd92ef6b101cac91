/**
 * @file A call that ended well and said nothing.
 */
import { fault, type Fault, type FinishReason, type PoolWorker } from '../contract';

/** The fault of an answer without a visible character, which is none; `null` for any other. */
export function emptyReply(output: string, finishReason: FinishReason, { name }: PoolWorker): Fault | null {
  if (output.trim() !== '') return null;
  if (finishReason === 'length') {
    const message = `${name} used up all its tokens before it began to answer. Allow longer answers and run the step again.`;
    return fault('empty-reply', message);
  }
  if (finishReason === 'content-filter') {
    const message = `${name} held its answer back as unsuitable. Word the question differently, or use another worker.`;
    return fault('empty-reply', message);
  }
  return fault('empty-reply', `${name} gave an empty answer. Run the step again, or use another worker.`);
}
