/**
 * @file Separates a leading `<think>…</think>` from the answer that follows. Local models write their reasoning between these
 * tags, and some servers leave the tags in the content. A stream may arrive in pieces that end anywhere, even inside a tag.
 */
import type { Channel } from './message';

const OPEN = '<think>';
const CLOSE = '</think>';
/** Maximum number of white-space characters before the opening tag. With more, the whole text is the answer. */
const MOST_SPACE = 1_000;

export interface ChannelText {
  readonly channel: Channel;
  readonly text: string;
}

/**
 * Recognizes an opening tag only at the beginning, after optional white space, because an answer may mention tags later. Drops
 * white space between the closing tag and the answer. If the tag is never closed, the whole text is reasoning.
 */
export class ThinkTagSplitter {
  #place: 'start' | 'thoughts' | 'answer-start' | 'answer' = 'start';
  /** Text whose channel is not known yet: white space, or the possible beginning of a tag. */
  #held = '';

  /** Adds the next piece of the stream. Returns the text whose channel is now known. */
  push(text: string): ChannelText[] {
    this.#held += text;
    const certain: ChannelText[] = [];
    if (this.#place === 'start') this.#readStart();
    if (this.#place === 'thoughts') this.#readThoughts(certain);
    if (this.#place === 'answer-start') this.#skipSpace();
    if (this.#place === 'answer') this.#release(certain, 'content', this.#held.length);
    return certain;
  }

  /** Call this when the stream has ended. Returns the remaining text. */
  end(): ChannelText[] {
    const rest: ChannelText[] = [];
    if (this.#place === 'answer-start') this.#held = '';
    this.#release(rest, this.#place === 'thoughts' ? 'reasoning' : 'content', this.#held.length);
    return rest;
  }

  #readStart(): void {
    const text = this.#held.trimStart();
    const isAnswer = this.#held.length - text.length > MOST_SPACE || !(text.startsWith(OPEN) || OPEN.startsWith(text));
    if (isAnswer) {
      this.#place = 'answer';
    } else if (text.startsWith(OPEN)) {
      this.#held = text.slice(OPEN.length);
      this.#place = 'thoughts';
    }
  }

  #readThoughts(certain: ChannelText[]): void {
    const close = this.#held.indexOf(CLOSE);
    if (close >= 0) {
      this.#release(certain, 'reasoning', close);
      this.#held = this.#held.slice(CLOSE.length);
      this.#place = 'answer-start';
    } else {
      this.#release(certain, 'reasoning', this.#held.length - tagBegun(this.#held));
    }
  }

  #skipSpace(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#place = 'answer';
  }

  #release(into: ChannelText[], channel: Channel, length: number): void {
    if (length > 0) into.push({ channel, text: this.#held.slice(0, length) });
    this.#held = this.#held.slice(length);
  }
}

/** Number of characters at the end of a text that may be the beginning of a closing tag. */
function tagBegun(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
