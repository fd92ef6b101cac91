/** @file The domains by which questions are classified and workers are rated. */

/**
 * Kinds of questions, by the skill that they need and not by their topic. `core/analysis/domain.ts`
 * determines the domain of a question.
 */
export const DOMAINS = ['maths', 'code', 'science', 'knowledge', 'writing'] as const;
export type Domain = (typeof DOMAINS)[number];
