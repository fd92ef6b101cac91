/**
 * @file Records the revision of the trained policy's weights in the plan of a batch. Each time the batch starts
 * or resumes, the recorded revision is compared with the revision in use.
 */
import { usesPolicy } from '../../conductor/with-policy-info';
import type { BatchPlan, Fault, Method, Outcome, Run } from '../../contract';
import { otherWeights, weightsOf } from './batch-conductor';

/** The revision of the policy in use. Rejects with a `FaultError` if it can't be loaded. */
export type PolicyRevision = () => Promise<string>;

/**
 * Adds the current revision of the policy to each method that uses the policy. Rejects with a `FaultError`
 * if the policy can't be loaded.
 */
export async function withWeights(plan: BatchPlan, revision: PolicyRevision): Promise<BatchPlan> {
  if (!plan.methods.some(({ settings }) => usesPolicy(settings.conductor))) return plan;
  const weights = await revision();
  const methods = plan.methods.map((method) =>
    usesPolicy(method.settings.conductor) ? { ...method, weights } : method,
  );
  return { ...plan, methods };
}

/**
 * Compares the weights in a plan with the weights in use. Returns a fault for each method whose weights
 * differ. Methods without recorded weights are ignored.
 * @param prepared the same plan with the weights in use (see `withWeights`)
 */
export function changedWeights(plan: BatchPlan, prepared: BatchPlan): readonly Fault[] {
  return plan.methods.flatMap(({ label, weights }, index) => {
    const used = prepared.methods[index]?.weights;
    return weights === undefined || used === undefined || used === weights ? [] : otherWeights(label, weights, used);
  });
}

/**
 * The weights of each method that uses the policy, by method id. A plan from an older version of Podium
 * contains no weights. Then the weights of a method are read from its first stored run that contains them. If
 * no run contains them, the weights in use are returned. A method is left out if its weights are unknown and
 * the policy can't be loaded. Weights that were found are not added to the plan, because they would change the
 * ids of the batch's runs.
 * @param open reads a run. `null`: the run was deleted
 */
export async function weightsByMethod(
  { methods }: Pick<BatchPlan, 'methods'>,
  outcomes: readonly Pick<Outcome, 'method' | 'runId'>[],
  open: (runId: string) => Promise<Run | null>,
  revision: PolicyRevision,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [index, { id, settings, weights }] of methods.entries()) {
    if (!usesPolicy(settings.conductor)) continue;
    const used = weights ?? (await usedBy(outcomes, index, open)) ?? (await revision().catch(() => null));
    if (used !== null) found.set(id, used);
  }
  return found;
}

/**
 * Maximum number of stored runs that are read for one method. Some runs don't contain the weights, because
 * the run was deleted, or a fallback wrote its plan.
 */
const MOST_READ = 20;

async function usedBy(
  outcomes: readonly Pick<Outcome, 'method' | 'runId'>[],
  index: number,
  open: (runId: string) => Promise<Run | null>,
): Promise<string | null> {
  const runIds = outcomes.flatMap(({ method, runId }) => (method === index && runId !== undefined ? runId : []));
  for (const runId of runIds.slice(0, MOST_READ)) {
    const plans = (await open(runId))?.rounds.flatMap(({ plan }) => plan ?? []) ?? [];
    for (const plan of plans) {
      const used = weightsOf(plan);
      if (used !== undefined) return used;
    }
  }
  return null;
}

/**
 * The fault if a method was planned with other weights than those in use. `null` if the weights agree or are
 * unknown. `null` also if the policy can't be loaded. Then the method's runs report that problem.
 */
export async function weightsProblem(
  { label }: Method,
  weights: string | undefined,
  revision: PolicyRevision,
): Promise<Fault | null> {
  if (weights === undefined) return null;
  const used = await revision().catch(() => null);
  return used === null || used === weights ? null : otherWeights(label, weights, used);
}
