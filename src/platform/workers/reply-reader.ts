/**
 * @file Converts the pieces of one reply to `delta` events, and cuts off text beyond a limit. Also collects the usage, the cost
 * and the finish reason.
 */
import {
  beginningOf,
  ThinkTagSplitter,
  type Channel,
  type ChannelText,
  type Fault,
  type Usage,
  type WorkerEvent,
  type FinishReason,
} from '../../core/contract';
import type { Piece } from './reply';

export class ReplyReader {
  readonly #splitter = new ThinkTagSplitter();
  #reasoned = false;
  #hasText = false;
  /** Number of characters that each channel (content and reasoning) may still receive. Further text is cut off. */
  readonly #left: Record<Channel, number>;
  readonly #most: number;
  #isFull = false;
  #finish: Ending | null = null;
  readonly #usage = new UsageSum();
  /** Whether text has arrived since the last report of the usage. */
  #hasNewText = false;
  #cost: number | null = null;

  /** @param most maximum number of characters. It applies to the content and to the reasoning separately */
  constructor(most: number) {
    this.#most = most;
    this.#left = { content: most, reasoning: most };
  }

  /** Whether text was cut off at the limit. If so, the caller can stop reading the reply. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether any content or reasoning has been received. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** The reported number of tokens of prompt and answer together. `null`: not reported. */
  get tokens(): number | null {
    const usage = this.#reportedUsage();
    return usage && usage.input + usage.output;
  }

  /** Whether the server has reported that the answer is complete, or why it ends here. */
  get hasEnded(): boolean {
    return this.#finish !== null && this.#finish !== 'aborted';
  }

  /** Whether the server has reported that it stopped before the answer was complete. */
  get isStoppedEarly(): boolean {
    return this.#finish === 'aborted';
  }

  read(piece: Piece): WorkerEvent[] {
    const hasText = piece.reasoning !== '' || piece.content !== '';
    this.#hasNewText ||= hasText;
    // Some servers report “stop” with every chunk, so only the last one counts. Any other reason is final: it is the first
    // reason why the answer is incomplete.
    if (this.#finish === 'stop' && `${piece.reasoning}${piece.content}`.trim() !== '') this.#finish = null;
    if (piece.finish !== null) this.#finish ??= readFinishReason(piece.finish);
    if (piece.usage) {
      this.#usage.add(piece.usage, this.#hasNewText);
      this.#hasNewText = false;
    }
    this.#cost = piece.cost ?? this.#cost;
    const texts: ChannelText[] = [];
    if (piece.reasoning !== '') {
      this.#reasoned = true;
      texts.push({ channel: 'reasoning', text: piece.reasoning });
    }
    if (piece.content !== '') texts.push(...this.#split(piece.content));
    this.#hasText ||= hasText;
    return this.#deltas(texts);
  }

  /** Ends a reply that succeeded. Returns `delta` events for the buffered text, then `finished`. */
  finished(): WorkerEvent[] {
    const reported = this.#finish === 'aborted' ? 'other' : this.#finish;
    // A text that was cut off here ends with `length`, whatever the provider reported.
    const finishReason = this.#isFull ? 'length' : reported;
    return [...this.#rest(), { type: 'finished', usage: this.#reportedUsage(), cost: this.#cost, finishReason }];
  }

  /** Ends a reply that failed. Returns `delta` events for the buffered text, then `failed` with the usage and cost so far. */
  failed(fault: Fault): WorkerEvent[] {
    return [...this.#rest(), { type: 'failed', fault, usage: this.#reportedUsage(), cost: this.#cost }];
  }

  /** The usage. `null` if the server reported none, or counted nothing although text has arrived. */
  #reportedUsage(): Usage | null {
    const { usage } = this.#usage;
    return usage && (usage.input > 0 || usage.output > 0 || !this.#hasText) ? usage : null;
  }

  /** Splits content at think tags. Once the reply has sent reasoning in a separate field, such tags are plain text. */
  #split(content: string): ChannelText[] {
    if (this.#reasoned) this.#splitter.ignoreTags();
    return this.#splitter.push(content);
  }

  #rest(): WorkerEvent[] {
    return this.#deltas(this.#splitter.end());
  }

  #deltas(texts: readonly ChannelText[]): WorkerEvent[] {
    return texts.flatMap(({ channel, text, ...rest }) => {
      if (rest.relabels) {
        this.#left.reasoning -= this.#most - this.#left.content;
        this.#left.content = this.#most;
      }
      const fits = beginningOf(text, this.#left[channel]);
      this.#left[channel] -= fits.length;
      this.#isFull ||= fits.length < text.length;
      return fits === '' ? [] : [{ type: 'delta', channel, text: fits, ...rest }];
    });
  }
}

// Reads the reason why a server ended an answer. Servers use many words for it, in upper and lower case.

/** What a finish reason means. `aborted`: the server stopped before the answer was complete. */
type Ending = Exclude<FinishReason, null> | 'aborted';

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
function readFinishReason(word: string): Ending {
  const lower = word.toLowerCase().slice(0, 100);
  return ENDINGS.find(([pattern]) => pattern.test(lower))?.[1] ?? 'other';
}

/**
 * Most servers that report counts more than once report running totals, or the prompt and the answer in different chunks. Others
 * report the tokens of each chunk, which must be added. A running total never shrinks, and it grows with the text.
 */
class UsageSum {
  #last: Usage | null = null;
  #input = 0;
  #most = 0;
  #sum = 0;
  #hasGrown = false;
  #hasShrunk = false;
  #hasRepeated = false;

  /** @param hasNewText whether text has arrived since the last report */
  add(reported: Usage, hasNewText: boolean): void {
    const before = this.#last?.output ?? 0;
    const { output } = reported;
    if (before > 0 && output > 0 && hasNewText) {
      this.#hasGrown ||= output > before;
      this.#hasShrunk ||= output < before;
      this.#hasRepeated ||= output === before;
    }
    if (hasNewText) this.#sum += output;
    this.#input = Math.max(this.#input, reported.input);
    this.#most = Math.max(this.#most, output);
    this.#last = { ...this.#last, ...reported };
  }

  /** The counts. `null`: nothing was reported. A count that was not reported is 0. */
  get usage(): Usage | null {
    const isOfChunks = this.#hasShrunk || (this.#hasRepeated && !this.#hasGrown);
    return (
      this.#last && {
        ...this.#last,
        input: this.#input,
        output: isOfChunks ? Math.max(this.#sum, this.#most) : this.#most,
      }
    );
  }
}
