/** @file Determines how many candidate workflows a run requests from a Conductor. */
import type { ConductorInfo } from '../contract';
import { partOfPolicy, RANKED_CANDIDATES } from './with-policy-info';

/**
 * Returns 1 for a Conductor that writes the same plan each time, and `wanted` for any other Conductor. If the policy ranks the
 * plans of a model, returns at least `RANKED_CANDIDATES`.
 * @param wanted the number in the settings
 */
export function candidatesFor({ id, kind }: ConductorInfo, wanted: number): number {
  switch (kind) {
    case 'policy':
      return wanted;
    case 'endpoint':
    case 'webllm':
    case 'browser':
    case 'transformers':
      return partOfPolicy(id)?.part === 'ranking' ? Math.max(wanted, RANKED_CANDIDATES) : wanted;
    case 'heuristic':
    case 'template':
    case 'by-hand':
      return 1;
    default:
      return kind satisfies never;
  }
}
