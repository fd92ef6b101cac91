/** @file Notes about pools with simulated workers, which can only solve puzzles. */
import type { PoolWorker } from '../../core/contract';
import { listed } from '../ui/figures';

const PUZZLES_ONLY = 'Simulated workers can only solve puzzles.';

/** The note about a pool with both simulated and real workers. */
export const MIXED = `${PUZZLES_ONLY} Your own workers can answer any question.`;

/** "Alder and Cedar can’t read this question. Simulated workers can only solve puzzles." `''` if `unread` is empty. */
export function unreadSentence(unread: readonly PoolWorker[], isPractice: boolean): string {
  if (unread.length === 0) return '';
  if (isPractice) return `The simulated workers can’t read this question. They can only solve puzzles.`;
  return `${listed(unread.map(({ name }) => name))} can’t read this question. ${PUZZLES_ONLY}`;
}
