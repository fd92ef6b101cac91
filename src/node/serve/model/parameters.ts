/** @file The parameters that requests for chat completions and for responses have in common. */
import * as z from 'zod/mini';
import type { Effort } from '../../../core/contract';

export const outputLimit = z.int().check(z.gte(1), z.lte(1_000_000));
export const temperature = z.number().check(z.gte(0), z.lte(2));
export const topP = z.number().check(z.gt(0), z.lte(1));

const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
/** The effort of a run for each level of reasoning. */
const EFFORT_OF: Readonly<Record<(typeof LEVELS)[number], Effort>> = {
  none: 'quick',
  minimal: 'quick',
  low: 'quick',
  medium: 'balanced',
  high: 'thorough',
  xhigh: 'thorough',
  max: 'thorough',
};
export const reasoningEffort = z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` });

export function effortOf(level: z.infer<typeof reasoningEffort>): Effort {
  return EFFORT_OF[level];
}
