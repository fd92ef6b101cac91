/**
 * @file What a run remembers of a model that conducts together with the trained policy. Apart, so that a list of Conductors
 * needs none of the code that plans.
 *
 * Such a Conductor's id is that of the model's own, with what the policy does in front: `policy+local:…` for the policy's
 * steps in the model's words, `ranked+endpoint:…` for the model's workflows in the policy's order.
 */
import type { ConductorInfo, PlanPolicy } from '../contract';

const PREFIX: Record<PlanPolicy['part'], string> = { skeleton: 'policy+', ranking: 'ranked+' };

/** Plans that a model writes for the policy to rank, where the user asked for one only. */
export const RANKED_CANDIDATES = 4;

/** @param model the model's own Conductor */
export function withPolicyInfo(part: PlanPolicy['part'], model: ConductorInfo): ConductorInfo {
  const label = part === 'skeleton' ? `Policy, words by ${model.label}` : `${model.label}, ranked by the policy`;
  return { ...model, id: `${PREFIX[part]}${model.id}`, label };
}

/** What the policy does in a Conductor, and the id of the model's own; `null` for any other Conductor. */
export function partOfPolicy(id: string): { readonly part: PlanPolicy['part']; readonly model: string } | null {
  if (id.startsWith(PREFIX.skeleton)) return { part: 'skeleton', model: id.slice(PREFIX.skeleton.length) };
  if (id.startsWith(PREFIX.ranking)) return { part: 'ranking', model: id.slice(PREFIX.ranking.length) };
  return null;
}
