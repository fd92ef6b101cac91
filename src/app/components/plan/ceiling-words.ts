/** @file Words for the upper limit of a run. */
import type { Ceiling } from '../../../core/runs';
import { count, money, plural } from '../figures';

/** "At most 5 calls, free", "At most 5 calls, $0.0021 to $0.12". */
export function callsSentence(ceiling: Ceiling): string {
  const calls = `At most ${plural(ceiling.calls, 'call')}`;
  const tokens = ceiling.tokens === null ? '' : `, ${count(ceiling.tokens)} tokens`;
  return `${calls}${tokens}, ${costSentence(ceiling)}`;
}

function costSentence({ free, range, usd }: Ceiling): string {
  if (free) return 'free';
  if (range && range.high <= 0.000_05) return 'under $0.0001';
  if (range)
    return range.low < range.high ? `${money(range.low)} to ${money(range.high)}` : `at most ${money(range.high)}`;
  return usd === null ? 'price unknown' : `at most ${money(usd)}`;
}
