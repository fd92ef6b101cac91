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
  type FinishReason,
  type Usage,
  type WorkerEvent,
} from '../../core/contract';
import { readFinishReason, type Piece } from './reply';

export class ReplyReader {
  readonly #splitter = new ThinkTagSplitter();
  #reasoned = false;
  #hasText = false;
  /** Number of characters that each channel (content and reasoning) may still receive. Further text is cut off. */
  readonly #left: Record<Channel, number>;
  #isFull = false;
  #finish: string | null = null;
  #usage: Usage | null = null;
  #cost: number | null = null;

  /** @param most maximum number of characters. It applies to the content and to the reasoning separately */
  constructor(most: number) {
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
    return this.#usage && this.#usage.input + this.#usage.output;
  }

  /** The finish reason in the provider's wording. `null` until the provider reports it. */
  get finish(): string | null {
    return this.#finish;
  }

  read(piece: Piece): WorkerEvent[] {
    this.#finish = piece.finish ?? this.#finish;
    this.#usage = piece.usage ?? this.#usage;
    this.#cost = piece.cost ?? this.#cost;
    const texts: ChannelText[] = [];
    if (piece.reasoning !== '') {
      this.#reasoned = true;
      texts.push({ channel: 'reasoning', text: piece.reasoning });
    }
    if (piece.content !== '') texts.push(...this.#split(piece.content));
    this.#hasText ||= texts.length > 0;
    return this.#deltas(texts);
  }

  /** Ends a reply that succeeded. Returns `delta` events for the buffered text, then `finished`. */
  finished(): WorkerEvent[] {
    const reported: FinishReason = this.#finish === null ? null : readFinishReason(this.#finish);
    // A text that was cut off here ends with `length`, whatever the provider reported.
    const finishReason = this.#isFull ? 'length' : reported;
    return [...this.#rest(), { type: 'finished', usage: this.#usage, cost: this.#cost, finishReason }];
  }

  /** Ends a reply that failed. Returns `delta` events for the buffered text, then `failed` with the usage and cost so far. */
  failed(fault: Fault): WorkerEvent[] {
    return [...this.#rest(), { type: 'failed', fault, usage: this.#usage, cost: this.#cost }];
  }

  /** Splits content at think tags. Once the reply has sent reasoning in a separate field, such tags are plain text. */
  #split(content: string): ChannelText[] {
    return this.#reasoned
      ? [...this.#splitter.end(), { channel: 'content', text: content }]
      : this.#splitter.push(content);
  }

  #rest(): WorkerEvent[] {
    return this.#deltas(this.#splitter.end());
  }

  #deltas(texts: readonly ChannelText[]): WorkerEvent[] {
    return texts.flatMap(({ channel, text }) => {
      const fits = beginningOf(text, this.#left[channel]);
      this.#left[channel] -= fits.length;
      this.#isFull ||= fits.length < text.length;
      return fits === '' ? [] : [{ type: 'delta', channel, text: fits }];
    });
  }
}
