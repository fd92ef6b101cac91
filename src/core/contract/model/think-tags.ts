/**
 * @file Separates a model's thoughts from the answer that follows. Local models write their thoughts between tags such as
 * `<think>` and `</think>`, and some servers leave the tags in the content (see `think-forms.ts`). A stream may arrive in pieces
 * that end anywhere, even inside a tag.
 */
import type { ChannelText } from './channel-text';
import { HarmonySplitter, isHarmony } from './harmony';
import type { Channel } from './message';
import { createTagPattern, indexOfTag, leadingTag, tagBegun, thoughtTags } from './think-forms';

/** Maximum number of white-space characters before the opening tag. With more, the whole text is the answer. */
const MOST_SPACE = 1_000;

/**
 * Recognizes an opening tag only at the beginning, after optional white space, because an answer may mention tags later. If such a
 * tag is never closed, the whole text is reasoning. Drops white space between the closing tag and the answer.
 *
 * A closing tag without an opening tag ends thoughts that were returned as content. The text after the tag then has `relabels`.
 * A closing tag does not count inside code, inside a sentence about tags, after an opening tag, or at the end of the text.
 */
export class ThinkTagSplitter {
  #place: 'start' | 'thoughts' | 'answer-start' | 'answer' = 'start';
  /** Text whose channel is not known yet: white space, or the possible beginning of a tag. */
  #held = '';
  #harmony: HarmonySplitter | null = null;
  /** The tag that ends the thoughts. */
  #close = '';
  /** The tag that ends the answer, if the answer is between tags, too. */
  #answerClose: string | null = null;
  /** Whether a closing tag without an opening tag would end thoughts. */
  #isWatching = true;
  readonly #code = new CodeContext();
  readonly #pattern = createTagPattern();
  readonly #tags = thoughtTags();
  /** The closing tag without an opening tag and the white space after it, until an answer follows. */
  #unopened: string | null = null;

  /** Adds the next piece of the stream. Returns the text whose channel is now known. */
  push(text: string): ChannelText[] {
    if (this.#harmony) return this.#harmony.push(text);
    this.#held += text;
    return this.#read(false);
  }

  /** Call this when the stream has ended. Returns the remaining text. */
  end(): ChannelText[] {
    if (this.#harmony) return this.#harmony.end();
    const rest = this.#read(true);
    if (this.#unopened !== null) this.#held = this.#unopened + this.#held;
    else if (this.#place === 'answer-start') this.#held = this.#held.trimStart();
    this.#unopened = null;
    this.#release(rest, this.#place === 'thoughts' ? 'reasoning' : 'content', this.#held.length);
    return rest;
  }

  /** Call this if the stream has reasoning of its own. All tags are plain text then, except a closing tag at the beginning. */
  ignoreTags(): void {
    this.#isWatching = false;
  }

  #read(isEnd: boolean): ChannelText[] {
    const certain: ChannelText[] = [];
    if (this.#place === 'start') this.#readStart(certain, isEnd);
    // A pass may end where it began, in further thoughts, so the loop ends only when a pass reads nothing.
    for (let before = ''; before !== `${this.#place} ${this.#held.length}`;) {
      before = `${this.#place} ${this.#held.length}`;
      if (this.#place === 'thoughts') this.#readThoughts(certain);
      if (this.#place === 'answer-start') this.#readAnswerStart(isEnd);
    }
    if (this.#place === 'answer') this.#readAnswer(certain, isEnd);
    return certain;
  }

  #readStart(certain: ChannelText[], isEnd: boolean): void {
    const text = this.#held.trimStart();
    if (this.#held.length - text.length > MOST_SPACE) {
      this.#place = 'answer';
      return;
    }
    if (this.#isWatching && isHarmony(text) === true) {
      this.#harmony = new HarmonySplitter();
      this.#held = '';
      certain.push(...this.#harmony.push(text));
      return;
    }
    const tag = leadingTag(text);
    const isOpen = tag === 'maybe' || isHarmony(text) === 'maybe';
    if (isOpen && !isEnd) return;
    const isClose = tag !== null && tag !== 'maybe' && tag.type === 'close';
    if (isClose && !isEnd && text.length < tag.end + 2) return;
    const isText = isClose ? isMention('', text.slice(tag.end)) : !this.#isWatching;
    if (tag === null || tag === 'maybe' || isText) this.#place = 'answer';
    else this.#enter(tag.type, tag.close, text.slice(tag.end));
  }

  #readThoughts(certain: ChannelText[]): void {
    const close = indexOfTag(this.#held, this.#close);
    if (close < 0) {
      this.#release(certain, 'reasoning', this.#held.length - tagBegun(this.#held, [this.#close]));
      return;
    }
    this.#release(certain, 'reasoning', close);
    this.#held = this.#held.slice(this.#close.length);
    this.#place = 'answer-start';
  }

  /** Drops white space. Some models think again, or put tags around the answer. */
  #readAnswerStart(isEnd: boolean): void {
    const text = this.#held.trimStart();
    if (this.#unopened !== null) this.#unopened += this.#held.slice(0, this.#held.length - text.length);
    this.#held = text;
    const tag = text === '' ? 'maybe' : leadingTag(text);
    if (tag === 'maybe' && !isEnd) return;
    if (tag === null || tag === 'maybe' || tag.type === 'close') {
      if (text !== '') this.#place = 'answer';
    } else this.#enter(tag.type, tag.close, text.slice(tag.end));
  }

  #enter(type: 'thoughts' | 'answer' | 'close', close: string, rest: string): void {
    this.#isWatching = false;
    this.#held = rest;
    this.#place = type === 'thoughts' ? 'thoughts' : 'answer-start';
    if (type === 'thoughts') this.#close = close;
    if (type === 'answer') this.#answerClose = close;
  }

  #readAnswer(certain: ChannelText[], isEnd: boolean): void {
    if (this.#answerClose !== null) this.#readUntil(certain, this.#answerClose, isEnd);
    else if (this.#isWatching) this.#watch(certain, isEnd);
    else this.#release(certain, 'content', this.#held.length);
  }

  #readUntil(certain: ChannelText[], close: string, isEnd: boolean): void {
    const at = indexOfTag(this.#held, close);
    if (at < 0) {
      this.#release(certain, 'content', this.#held.length - (isEnd ? 0 : tagBegun(this.#held, [close])));
      return;
    }
    this.#release(certain, 'content', at);
    this.#held = this.#held.slice(close.length);
    this.#answerClose = null;
    this.#release(certain, 'content', this.#held.length);
  }

  /** Looks for a closing tag without an opening tag. */
  #watch(certain: ChannelText[], isEnd: boolean): void {
    for (let tag = this.#pattern.exec(this.#held); tag; tag = this.#pattern.exec(this.#held)) {
      const after = this.#held.slice(tag.index + tag[0].length);
      // Whether a sentence continues after the tag shows only with the next two characters.
      const isKnown = isEnd || after.length > 1;
      this.#release(certain, 'content', tag.index);
      if (!isKnown) return;
      const isOpen = tag.groups?.close === undefined;
      if (isOpen && !this.#code.isInCode) this.#isWatching = false;
      const isText = isOpen || this.#code.isInCode || isMention(this.#code.last, after);
      if (!isText) {
        this.#isWatching = false;
        this.#unopened = tag[0];
        this.#held = after;
        this.#place = 'answer-start';
        this.#readAnswerStart(isEnd);
        // The next push reads on from here, if the answer has not begun.
        if (this.#at('answer')) this.#release(certain, 'content', this.#held.length);
        return;
      }
      this.#release(certain, 'content', tag[0].length);
      if (!this.#isWatching) break;
    }
    const held = this.#isWatching && !isEnd ? tagBegun(this.#held, this.#tags) : 0;
    this.#release(certain, 'content', this.#held.length - held);
  }

  #at(place: 'answer'): boolean {
    return this.#place === place;
  }

  #release(into: ChannelText[], channel: Channel, length: number): void {
    if (length <= 0) return;
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (this.#isWatching) this.#code.push(text);
    const relabels = channel === 'content' && this.#unopened !== null && this.#place === 'answer';
    if (relabels) this.#unopened = null;
    into.push(relabels ? { channel, text, relabels } : { channel, text });
  }
}

/** Whether a sentence or a text in quotes goes on after a tag, so that the text is about the tag. */
function isMention(before: string, after: string): boolean {
  return /["'“‘«(]/.test(before) || /^[,.;:!?)”’»]/.test(after) || (before === ' ' && /^ [\p{Ll}\p{Lo}]/u.test(after));
}

/** Tracks whether the end of a Markdown text is inside code. The text arrives in pieces. Reads each character once. */
class CodeContext {
  #isInBlock = false;
  #isInSpan = false;
  /** Number of consecutive backticks or tildes before the next character. */
  #marks = 0;
  /** Whether the current line has only spaces and marks so far. */
  #isLineStart = true;
  #last = '\n';

  /** The last character. A line feed before the first one. */
  get last(): string {
    return this.#last;
  }

  /** Whether the next character would be inside a code block or inline code. */
  get isInCode(): boolean {
    return this.#isInBlock || this.#isInSpan !== this.#marks > 0;
  }

  push(text: string): void {
    for (const sign of text) {
      if (sign === '`' || (sign === '~' && this.#isLineStart)) this.#marks += 1;
      else {
        if (this.#marks > 0) this.#endMarks();
        if (sign === '\n') {
          this.#isLineStart = true;
          this.#isInSpan = false;
        } else if (sign !== ' ') this.#isLineStart = false;
      }
      this.#last = sign;
    }
  }

  #endMarks(): void {
    if (this.#isLineStart && this.#marks >= 3) this.#isInBlock = !this.#isInBlock;
    else this.#isInSpan = !this.#isInSpan;
    this.#isLineStart = false;
    this.#marks = 0;
  }
}
