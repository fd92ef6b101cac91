/** @file The most a run may come to, as a sentence. */
import type { Ceiling } from '../../../core/runs';
import { count, money, plural } from '../figures';

/** "At most 5 calls, not charged", "At most 5 calls, $0.0021 to $0.12". */
export function callsSentence(ceiling: Ceiling): string {
  const calls = `At most ${plural(ceiling.calls, 'call')}`;
  const tokens = ceiling.tokens === null ? '' : `, ${count(ceiling.tokens)} tokens`;
  return `${calls}${tokens}, ${costSentence(ceiling)}`;
}

function costSentence({ free, range, usd }: Ceiling): string {
  if (free) return 'not charged';
  if (range && range.high <= 0.000_05) return 'under $0.0001';
  if (range)
    return range.low < range.high ? `${money(range.low)} to ${money(range.high)}` : `at most ${money(range.high)}`;
  return usd === null ? 'at a price that is not known' : `at most ${money(usd)}`;
}
