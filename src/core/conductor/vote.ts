/**
 * @file Which of several candidate workflows runs: the skeleton (who, and who sees whom) that most of them have.
 */
import type { Workflow } from '../contract';

/** @returns the place of the first workflow with the most common skeleton, or `null` if there is none; ties go to the first */
export function chooseByVote(candidates: readonly (Workflow | null)[]): number | null {
  const votes = new Map<string, { first: number; count: number }>();
  for (const [place, workflow] of candidates.entries()) {
    if (!workflow) continue;
    const skeleton = skeletonOf(workflow);
    const { first, count } = votes.get(skeleton) ?? { first: place, count: 0 };
    votes.set(skeleton, { first, count: count + 1 });
  }
  let best: { first: number; count: number } | null = null;
  for (const vote of votes.values()) {
    if (!best || vote.count > best.count) best = vote;
  }
  return best?.first ?? null;
}

function skeletonOf(workflow: Workflow): string {
  return JSON.stringify(workflow.steps.map(({ worker, access }) => [worker, access]));
}
