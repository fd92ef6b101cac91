/**
 * @file Parts a leading `<think>…</think>` from the answer that follows it, however the stream was cut into chunks. A
 * model on this machine writes its thoughts like this, and some servers leave them in the content.
 */
import type { Channel } from './message';

const OPEN = '<think>';
const CLOSE = '</think>';
/** White space beyond this is the answer itself. */
const MOST_SPACE = 1_000;

export interface ChannelText {
  readonly channel: Channel;
  readonly text: string;
}

/**
 * Only a tag at the very beginning counts (white space before it aside): an answer may well speak of tags later. White space
 * between the closing tag and the answer goes. A tag that is never closed makes everything reasoning: the answer had not begun.
 */
export class ThinkTagSplitter {
  #place: 'start' | 'thoughts' | 'answer-start' | 'answer' = 'start';
  /** Text that cannot be told apart yet: white space, or what may be the first part of a tag. */
  #held = '';

  /** Takes the next piece of content; returns what is certain now. */
  push(text: string): ChannelText[] {
    this.#held += text;
    const certain: ChannelText[] = [];
    if (this.#place === 'start') this.#readStart();
    if (this.#place === 'thoughts') this.#readThoughts(certain);
    if (this.#place === 'answer-start') this.#skipSpace();
    if (this.#place === 'answer') this.#release(certain, 'content', this.#held.length);
    return certain;
  }

  /** What was still held when the stream ended. */
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

/** How many characters at the end may be the beginning of a closing tag. */
function tagBegun(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
