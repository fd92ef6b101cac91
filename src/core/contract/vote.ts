/**
 * @file Which of several candidate workflows runs: the skeleton (who, and who sees whom) that most of them have.
 */
import type { Workflow } from './workflow';

/** @returns the place of the first workflow with the most common skeleton, or `null` if there is none; ties go to the first */
export function chooseByVote(candidates: readonly (Workflow | null)[]): number | null {
  const votes = agreement(candidates).map((agreeing) => agreeing.length);
  const most = Math.max(0, ...votes);
  return most === 0 ? null : votes.indexOf(most);
}

/** For each candidate the places of those with its skeleton, its own included; empty for one that is no workflow. */
export function agreement(candidates: readonly (Workflow | null)[]): number[][] {
  const skeletons = candidates.map((workflow) => workflow && skeletonOf(workflow));
  return skeletons.map((own) =>
    own === null ? [] : skeletons.flatMap((other, place) => (other === own ? [place] : [])),
  );
}

function skeletonOf(workflow: Workflow): string {
  return JSON.stringify(workflow.steps.map(({ worker, access }) => [worker, access]));
}
