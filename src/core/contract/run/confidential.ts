/** @file Decides which runs must not leave this browser: runs of confidential tasks, and their forks and follow-ups. */
import type { RunStarted } from './events';

/**
 * Whether the first event of a run marks it as confidential. Runs from older versions may lack the mark, see
 * `confidentialityCheck`.
 */
export function isMarkedConfidential({
  isConfidential,
  batch,
  question,
}: Pick<RunStarted, 'isConfidential' | 'batch' | 'question'>): boolean {
  return isConfidential === true || batch?.isConfidential === true || question.context?.isConfidential === true;
}

/** The message that is shown where a confidential run can't be copied or saved. */
export const CONFIDENTIAL_RUN = 'The task of this run must not leave this browser.';
