/** @file Lazy-loads a language model's Conductor: the model alone, or together with the policy in use. */
import { loadOnce } from '../core/contract';
import type { LlmConductorOptions } from '../core/conductor/llm';
import { partOfPolicy } from '../core/conductor/with-policy-info';
import type { Conductor } from '../core/contract';
import { loadPolicyCheckpoint } from './policy-checkpoint';

/** @param options `info` determines which of the three it is, see `withPolicyInfo` */
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

const loadAlone = loadOnce(() => import('../core/conductor/llm'));
const loadWords = loadOnce(() => import('../core/conductor/skeleton-words'));
const loadRanked = loadOnce(() => import('../core/conductor/ranked-by-policy'));

async function loadWeights() {
  const [{ readCheckpoint }, checkpoint] = await Promise.all([import('../core/policy'), loadPolicyCheckpoint()]);
  const weights = readCheckpoint(checkpoint);
  if (!weights) throw new RangeError('The checkpoint is not one of this policy.');
  return weights;
}
