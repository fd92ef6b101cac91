/**
 * @file Chooses one of several candidate workflows: the candidate that the trained policy ranks first. If the policy ranked none
 * of them, a candidate with the most common skeleton is chosen. Two workflows have the same skeleton if their steps have the same
 * workers and the same access, to steps and to earlier rounds.
 */
import type { CandidateScore } from './conductor';
import type { Workflow } from './workflow';

/** The fields of a candidate that count for the choice. */
interface Eligible {
  readonly workflow: Workflow | null;
  readonly score?: CandidateScore | null;
}

/**
 * The automatic choice among candidates: by the policy's ranking if there is one, else by vote. `place`: the index of the chosen
 * candidate. `null` if no candidate has a workflow.
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
 * The value by which candidates are ranked: the mean log-probability of the skeleton's choices. `null` if the policy could never
 * choose the skeleton, or did not rank the candidate.
 */
export function rankValue(score: CandidateScore | null): number | null {
  if (score?.logProbability === undefined || score.logProbability === null) return null;
  return score.logProbability / Math.max(1, score.choices);
}

/** Chooses by the policy's ranking. @returns the first index with the highest rank value. `null`: no candidate has a rank value */
export function chooseByScore(scores: readonly (CandidateScore | null)[]): number | null {
  const values = scores.map((score) => rankValue(score) ?? -Infinity);
  const most = Math.max(-Infinity, ...values);
  return most === -Infinity ? null : values.indexOf(most);
}

/**
 * Chooses by vote.
 * @returns the index of the first workflow with the most common skeleton. If several skeletons are equally common, the first of
 * their workflows wins. `null`: no candidate is a workflow
 */
export function chooseByVote(candidates: readonly (Workflow | null)[]): number | null {
  const votes = agreement(candidates).map((agreeing) => agreeing.length);
  const most = Math.max(0, ...votes);
  return most === 0 ? null : votes.indexOf(most);
}

/**
 * For each candidate, the indexes of all candidates with the same skeleton, including its own. Empty for a candidate without a
 * workflow.
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
