/** @file The versions of the graders' rules. A stored verdict names the version that it comes from. */
import type { Grader, GraderKind, GradingProfile } from '../contract';

/**
 * The versions of the `strict` rules. Raise a version if answers that exist can get another verdict. Then batches with older
 * verdicts offer to grade the stored answers again. Graders that are not listed have version 1.
 *
 * Only graders that make no calls may be listed.
 */
const VERSIONS: Partial<Record<GraderKind, number>> = { letter: 2, mathematics: 2, rlpr: 2, exact: 2, pattern: 2 };

/** The current version of a grader's rules. The rules of `paper-artefact` follow published code, so their version is always 1. */
export function graderVersion(kind: GraderKind, profile: GradingProfile): number {
  return profile === 'strict' ? (VERSIONS[kind] ?? 1) : 1;
}

/** Adds the version of the rules to each verdict of a grader, unless it is 1. */
export function withVersion(grader: Grader, version: number): Grader {
  if (version === 1) return grader;
  return { grade: async (...given) => ({ ...(await grader.grade(...given)), version }) };
}
