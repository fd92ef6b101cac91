/** @file Says that a saved run has not ended. */
import type { RunSummary } from '../../core/contract';
import { shortText } from '../ui/short-text';

/** Says that a saved run has not ended, and what is kept of it. */
export function interruptedSentence({ held, question }: Pick<RunSummary, 'held' | 'question'>): string {
  return held
    ? `A plan waits for you: “${shortText(question)}”. Nothing was lost.`
    : `A run was interrupted: “${shortText(question)}”. Its finished steps are kept.`;
}
