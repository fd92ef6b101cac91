/**
 * @file What a run records about a Conductor that combines a model with the trained policy. This file is separate, so that
 * listing Conductors does not load the planning code.
 *
 * The id of such a Conductor is a prefix, followed by the id of the Conductor that uses the model alone. With `policy+`, the
 * policy plans the steps and the model writes the subtasks. With `ranked+`, the policy ranks the model's workflows.
 */
import type { ConductorInfo, PlanPolicy } from '../contract';

const PREFIX: Record<PlanPolicy['part'], string> = { skeleton: 'policy+', ranking: 'ranked+' };

const WORDS: Record<PlanPolicy['part'], { readonly before: string; readonly after: string }> = {
  skeleton: { before: 'Policy, words by ', after: '' },
  ranking: { before: '', after: ', ranked by the policy' },
};

/** Minimum number of plans that the policy ranks, even if the user requests fewer. */
export const RANKED_CANDIDATES = 4;

/** Describes the Conductor that combines a model with the policy. @param model the Conductor that uses the model alone */
export function withPolicyInfo(part: PlanPolicy['part'], model: ConductorInfo): ConductorInfo {
  const { before, after } = WORDS[part];
  return { ...model, id: `${PREFIX[part]}${model.id}`, label: `${before}${model.label}${after}` };
}

/** The label of the Conductor that uses the model alone. The label of a Conductor without a policy is returned unchanged. */
export function modelLabel({ id, label }: Pick<ConductorInfo, 'id' | 'label'>): string {
  const part = partOfPolicy(id)?.part;
  if (!part) return label;
  const { before, after } = WORDS[part];
  const isWhole = label.startsWith(before) && label.endsWith(after) && label.length > before.length + after.length;
  return isWhole ? label.slice(before.length, label.length - after.length) : label;
}

/** Whether a Conductor's plans depend on the weights of the trained policy. */
export function usesPolicy({ id, kind }: Pick<ConductorInfo, 'id' | 'kind'>): boolean {
  return kind === 'policy' || partOfPolicy(id) !== null;
}

/**
 * For a Conductor that combines a model with the policy: what the policy does, and the id of the Conductor that uses the model
 * alone. `null` for any other Conductor.
 */
export function partOfPolicy(id: string): { readonly part: PlanPolicy['part']; readonly model: string } | null {
  if (id.startsWith(PREFIX.skeleton)) return { part: 'skeleton', model: id.slice(PREFIX.skeleton.length) };
  if (id.startsWith(PREFIX.ranking)) return { part: 'ranking', model: id.slice(PREFIX.ranking.length) };
  return null;
}
