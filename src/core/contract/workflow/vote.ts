/**
 * @file Chooses one of several candidate workflows. If the trained policy ranked the candidates, its first
 * choice wins. Otherwise the candidates vote, and the most common skeleton wins. A skeleton consists
 * of each step's worker, access to other steps, and access to earlier rounds.
 */
import type { CandidateScore } from './conductor';
import type { Workflow } from './workflow';

/** The fields of a candidate that the choice depends on. */
interface Eligible {
  readonly workflow: Workflow | null;
  readonly score?: CandidateScore | null;
}

/**
 * Chooses by the policy's ranking if there is one, else by vote.
 * @returns `place` is the index of the chosen candidate. `null`: no candidate has a workflow
 */
export function chooseCandidate(
  candidates: readonly Eligible[],
): { readonly place: number; readonly by: 'rank' | 'vote' } | null {
  const best = chooseByScore(candidates.map(({ score = null }) => score));
  if (best !== null) return { place: best, by: 'rank' };
  const place = chooseByVote(candidates.map(({ workflow }) => workflow));
  return place === null ? null : { place, by: 'vote' };
}

/**
 * The `candidate` index of the plan that `chooseCandidate` prefers. `null` if no candidate has a workflow.
 */
export function favouriteOf({
  candidates,
}: {
  readonly candidates: readonly (Eligible & { readonly candidate: number })[];
}): number | null {
  const chosen = chooseCandidate(candidates);
  return chosen && (candidates[chosen.place]?.candidate ?? null);
}

/**
 * The value by which candidates are ranked: the mean log-probability of the policy's choices that make up
 * the skeleton. `null`: the policy could never choose the skeleton, or did not rank the candidate.
 */
export function rankValue(score: CandidateScore | null): number | null {
  if (score?.logProbability === undefined || score.logProbability === null) return null;
  return score.logProbability / Math.max(1, score.choices);
}

/**
 * Chooses by the policy's ranking.
 * @returns the first index with the highest rank value. `null`: no candidate has a rank value
 */
export function chooseByScore(scores: readonly (CandidateScore | null)[]): number | null {
  const values = scores.map((score) => rankValue(score) ?? -Infinity);
  const most = Math.max(-Infinity, ...values);
  return most === -Infinity ? null : values.indexOf(most);
}

/**
 * Chooses by vote.
 * @returns the index of the first workflow with the most common skeleton. If several skeletons are equally
 * common, the skeleton of the earliest workflow wins. `null`: there is no workflow
 */
export function chooseByVote(candidates: readonly (Workflow | null)[]): number | null {
  const votes = agreement(candidates).map((agreeing) => agreeing.length);
  const most = Math.max(0, ...votes);
  return most === 0 ? null : votes.indexOf(most);
}

/**
 * For each candidate, the indexes of all candidates with the same skeleton. The candidate's own index is
 * included. The list is empty for a candidate without a workflow.
 */
export function agreement(candidates: readonly (Workflow | null)[]): number[][] {
  const skeletons = candidates.map((workflow) => workflow && skeletonOf(workflow));
  return skeletons.map((own) =>
    own === null ? [] : skeletons.flatMap((other, place) => (other === own ? [place] : [])),
  );
}

function skeletonOf(workflow: Workflow): string {
  return JSON.stringify(workflow.steps.map(({ worker, access, seesEarlier = false }) => [worker, access, seesEarlier]));
}
