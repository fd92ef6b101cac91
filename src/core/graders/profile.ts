/** @file Two ways to grade the same task. */

/**
 * `strict`: Podium's rules, which docs/evaluation.md documents. `paper-artefact`: the rules of the paper's published
 * code with its oddities, for comparison with the paper's numbers.
 */
export type GradingProfile = 'strict' | 'paper-artefact';
