/** @file Determines how many candidate workflows a run requests from a Conductor. */
import type { ConductorInfo } from '../contract';
import { partOfPolicy, RANKED_CANDIDATES } from './with-policy-info';

/**
 * The number of candidates: one if the Conductor always writes the same plan, otherwise the number in the settings. If the
 * policy ranks the plans, there are at least `RANKED_CANDIDATES`.
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
