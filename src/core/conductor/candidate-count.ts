/** @file How many workflows a run requests of a Conductor, before one of them is chosen. */
import type { ConductorInfo } from '../contract';
import { partOfPolicy, RANKED_CANDIDATES } from './with-policy-info';

/**
 * Only a Conductor whose next plan may differ is asked for several. One whose plans the policy ranks writes enough of them to rank.
 * @param wanted the number in the settings
 */
export function candidatesFor({ id, kind }: ConductorInfo, wanted: number): number {
  switch (kind) {
    case 'policy':
      return wanted;
    case 'endpoint':
    case 'webllm':
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
