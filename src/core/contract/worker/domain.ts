/** @file The domains that questions fall into and that workers are rated in. */

/** Kinds of questions: by what it takes to answer them, not by topic. `core/analysis/domain.ts` tells the domain of a question. */
export const DOMAINS = ['maths', 'code', 'science', 'knowledge', 'writing'] as const;
export type Domain = (typeof DOMAINS)[number];
