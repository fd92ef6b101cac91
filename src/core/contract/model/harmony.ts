/**
 * @file Separates the messages of an answer in the “harmony” format of gpt-oss, which some servers leave in the content:
 * `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`. The message of the channel
 * `final` is the answer. All other channels are reasoning.
 */
import type { Channel } from './message';
import type { ChannelText } from './channel-text';

const MARK = /<\|(?:start|channel|message|end|return|call|constrain)\|>/;
const LONGEST_MARK = '<|constrain|>'.length;
/** Maximum number of characters between two messages. With more, the text counts as a part of the answer. */
const LONGEST_HEADER = 500;

/** Whether a text begins like an answer in this format. `maybe`: more text is needed. */
export function isHarmony(text: string): boolean | 'maybe' {
  const starts = ['<|start|>assistant', '<|channel|>'];
  if (starts.some((start) => text.startsWith(start))) return true;
  return starts.some((start) => start.startsWith(text)) && 'maybe';
}

export class HarmonySplitter {
  /** The channel of the current message. `null`: the header of the next message is being read. */
  #channel: Channel | null = null;
  #header = '';
  #held = '';

  push(text: string): ChannelText[] {
    this.#held += text;
    const parts: ChannelText[] = [];
    for (let mark = MARK.exec(this.#held); mark; mark = MARK.exec(this.#held)) {
      this.#add(parts, this.#held.slice(0, mark.index));
      this.#held = this.#held.slice(mark.index + mark[0].length);
      if (mark[0] === '<|message|>') {
        this.#channel = /^\s*final\b|<\|channel\|>\s*final\b/.test(this.#header) ? 'content' : 'reasoning';
        this.#header = '';
      } else {
        this.#channel = null;
        this.#header += mark[0];
      }
    }
    const open = this.#held.lastIndexOf('<');
    const isMark =
      open >= 0 && this.#held.length - open < LONGEST_MARK && /^<(?:$|\|[a-z]*\|?$)/.test(this.#held.slice(open));
    const certain = isMark ? open : this.#held.length;
    this.#add(parts, this.#held.slice(0, certain));
    this.#held = this.#held.slice(certain);
    return parts;
  }

  end(): ChannelText[] {
    const parts: ChannelText[] = [];
    this.#add(parts, this.#held);
    this.#held = '';
    return parts;
  }

  #add(parts: ChannelText[], text: string): void {
    if (text === '') return;
    if (this.#channel !== null) parts.push({ channel: this.#channel, text });
    else if (this.#header.length + text.length <= LONGEST_HEADER) this.#header += text;
    else parts.push({ channel: 'content', text });
  }
}
