/** @file Lazy-loads Conductors that use a language model, alone or together with the policy in use. */
import { fault, FaultError, loadOnce } from '../core/contract';
import type { LlmConductorOptions } from '../core/conductor/llm';
import { partOfPolicy } from '../core/conductor/with-policy-info';
import type { Conductor } from '../core/contract';
import { loadPolicyCheckpoint } from './policy-checkpoint';

/**
 * Creates a Conductor that uses a language model. Rejects if the code or the policy can't be loaded.
 * @param options `info.id` determines whether and how the model is combined with the policy. See
 * `withPolicyInfo`
 */
export async function loadModelConductor(options: LlmConductorOptions): Promise<Conductor> {
  const part = partOfPolicy(options.info.id)?.part;
  switch (part) {
    case undefined:
      return (await loadAlone()).createLlmConductor(options);
    case 'skeleton': {
      const [{ createSkeletonWordsConductor }, weights] = await Promise.all([loadWords(), loadWeights()]);
      return createSkeletonWordsConductor({ ...options, weights });
    }
    case 'ranking': {
      const [{ createRankedByPolicyConductor }, weights] = await Promise.all([loadRanked(), loadWeights()]);
      return createRankedByPolicyConductor({ ...options, weights });
    }
    default:
      return part satisfies never;
  }
}

const PART = 'the Conductor';
const loadAlone = loadOnce(() => import('../core/conductor/llm'), PART);
const loadWords = loadOnce(() => import('../core/conductor/skeleton-words'), PART);
const loadRanked = loadOnce(() => import('../core/conductor/ranked-by-policy'), PART);

const UNREADABLE = 'Couldn’t read the trained policy. Reload the page, or choose another Conductor.';

async function loadWeights() {
  const [{ readCheckpoint }, checkpoint] = await Promise.all([
    import('../core/policy/checkpoint'),
    loadPolicyCheckpoint(),
  ]);
  const weights = readCheckpoint(checkpoint);
  if (!weights) throw new FaultError(fault('internal', UNREADABLE));
  return weights;
}
