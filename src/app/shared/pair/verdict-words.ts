/** @file Texts about the running verdict on pairs of answers. */
import type { RunningVerdict, SkippedPairs, Tally } from '../../../core/evaluation/pairs/running-verdict';
import { plural } from '../../ui/figures';

/** "No verdict yet: the workflow won 7 and lost 5 of 12 comparisons." */
export function verdictSentence({ wins, losses, better }: Tally): string {
  const decided = wins + losses;
  if (decided === 0) return 'No comparison has a winner yet.';
  if (better === null)
    return `No verdict yet: the workflow won ${wins} of ${plural(decided, 'comparison')} with a winner.`;
  const won = better === 'conductor' ? wins : losses;
  const who = better === 'conductor' ? 'The workflow is better' : 'The worker alone is better';
  return `${who}: it won ${won} of ${plural(decided, 'comparison')} with a winner.`;
}

/** Says how skipped pairs differ from others. `''`: none were skipped. */
export function skippedSentence({ count, longer, dearer }: SkippedPairs): string {
  if (count === 0) return '';
  return `Not compared: ${plural(count, 'pair')}. The workflow’s answer was the longer one in ${longer}, and the dearer one in ${dearer}.`;
}

/** What a comparison of pairs of similar length shows, if it differs. */
export const TALLIES = [
  { key: 'all', label: 'All pairs' },
  { key: 'similar', label: 'Similar length' },
] as const satisfies readonly { readonly key: keyof RunningVerdict; readonly label: string }[];
