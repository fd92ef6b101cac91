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
} from '../../core/contract';
import { readFinishReason, type Ending } from './finish-reason';
import type { Piece } from './reply';
import { UsageSum } from './usage-sum';

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
