/**
 * @file Converts the pieces of one streamed reply to `delta` events, cuts off text beyond a limit, and collects usage, cost and
 * the finish reason.
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
  /** How many more characters each channel may have before its text is cut off. */
  readonly #left: Record<Channel, number>;
  #isFull = false;
  #finish: string | null = null;
  #usage: Usage | null = null;
  #cost: number | null = null;

  /** @param most maximum number of characters of content. The same maximum applies to reasoning. Further text is cut off */
  constructor(most: number) {
    this.#left = { content: most, reasoning: most };
  }

  /** Whether text was cut off because of the limit. The caller can then stop reading the reply. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether any text has arrived. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** The reported tokens of prompt and answer together. `null` if no tokens were reported. */
  get tokens(): number | null {
    return this.#usage && this.#usage.input + this.#usage.output;
  }

  /** Why the model stopped, in the provider's wording. `null` until it is reported. */
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
    // `length` is the standard reason for a cut answer, whatever the provider reported.
    const finishReason = this.#isFull ? 'length' : reported;
    return [...this.#rest(), { type: 'finished', usage: this.#usage, cost: this.#cost, finishReason }];
  }

  /** Ends a reply that failed. Returns `delta` events for the buffered text, then `failed` with the usage and cost so far. */
  failed(fault: Fault): WorkerEvent[] {
    return [...this.#rest(), { type: 'failed', fault, usage: this.#usage, cost: this.#cost }];
  }

  /** Splits content at think tags. If the reply has sent reasoning in a field of its own, tags in the content are plain text. */
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
