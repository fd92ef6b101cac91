/** @file Formats the ceiling of a run: its maximum calls, tokens and cost. */
import type { Ceiling } from '../../../core/runs/new-run';
import { count, money, plural } from '../../ui/figures';

/** Formats a ceiling: "At most 5 calls, free" or "At most 5 calls, $0.0021 to $0.12". */
export function callsSentence(ceiling: Ceiling): string {
  const calls = `At most ${plural(ceiling.calls, 'call')}`;
  const tokens = ceiling.tokens === null ? '' : `, ${count(ceiling.tokens)} tokens`;
  return `${calls}${tokens}, ${costSentence(ceiling)}`;
}

function costSentence({ free, range, usd }: Ceiling): string {
  return range === null && !free && usd !== null ? `at most ${money(usd)}` : rangeWords({ free, range });
}

/** Formats a price range: "free", "$0.0021 to $0.12" or "price unknown". */
export function rangeWords({ free, range }: Pick<Ceiling, 'free' | 'range'>): string {
  if (free) return 'free';
  if (!range) return 'price unknown';
  if (range.high <= 0.000_05) return 'under $0.0001';
  return range.low < range.high ? `${money(range.low)} to ${money(range.high)}` : `at most ${money(range.high)}`;
}
