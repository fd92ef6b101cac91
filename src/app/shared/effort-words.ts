/** @file The labels and the tooltip of the effort setting. */
import type { Effort } from '../../core/contract';

export const EFFORT_LABELS: Readonly<Record<Effort, string>> = {
  quick: 'Quick',
  balanced: 'Balanced',
  thorough: 'Thorough',
};

export const EFFORT_TITLE = 'Sets the number of steps, how much workers think, and whether a second round is allowed';
