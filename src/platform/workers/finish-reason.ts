/** @file Reads the reason why a server ended an answer. Servers use many words for it, in upper and lower case. */
import type { FinishReason } from '../../core/contract';

/** What a finish reason means. `aborted`: the server stopped before the answer was complete. */
export type Ending = Exclude<FinishReason, null> | 'aborted';

/** The patterns are tested in this order, because some words match several, such as `time_limit` and `incomplete`. */
const ENDINGS: readonly (readonly [RegExp, Ending])[] = [
  [
    /abort|cancel|interrupt|error|fail|time_?(?:out|limit)|network|disconnect|insufficient|overload|unavailable/,
    'aborted',
  ],
  [
    /incomplete|not_?finished|partial|unfinished|preempt|kill|rate_?limit|crash|shut_?down|evict|out_?of_?memory/,
    'aborted',
  ],
  [/internal|close|reset|expire|lost|drop|deadline/, 'aborted'],
  [/filter|safety|block|prohibit|sensitive|moderat|refus|guardrail|recitation|spii|toxic|policy/, 'content-filter'],
  [/length|max|limit|exceed|truncat/, 'length'],
  [/stop|eos|end|complete|finish|done|success/, 'stop'],
];

/** Reads a finish reason. A word with an unknown meaning is `other`. */
export function readFinishReason(word: string): Ending {
  const lower = word.toLowerCase().slice(0, 100);
  return ENDINGS.find(([pattern]) => pattern.test(lower))?.[1] ?? 'other';
}
