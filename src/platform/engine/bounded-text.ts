/**
 * @file Limits free texts in answers that follow a grammar. A free text is a part whose words the grammar leaves open, such as a
 * subtask. Each free text has a maximum number of tokens. After that, only tokens that close the text are allowed. After several
 * blank tokens in a row, a visible character is required, because some models would otherwise write line breaks without end.
 */
import type { TextBound } from '../../core/contract';
import type { TokenTexts } from './token-texts';

/** Maximum number of consecutive blank tokens. It allows a paragraph break followed by an indentation. */
const MOST_BLANK = 3;
const BLANK = /^[ \t\r\n]*$/;
/** Matches a blank token in a JSON string, where line breaks and tabs are escapes. A token may end inside an escape. */
const BLANK_IN_STRING = /^(?: |\\[bfnrt])*\\?$/;
/** Matches a blank token that follows a backslash in a string. */
const BLANK_AFTER_BACKSLASH = /^[bfnrt](?: |\\[bfnrt])*\\?$/;

/** A limit on the next token. `only`: one of these tokens. `except`: any token that the grammar accepts, except these. */
export type NextTokens =
  | { readonly kind: 'only'; readonly tokens: readonly number[] }
  | { readonly kind: 'except'; readonly tokens: readonly number[] };

/** A text keeps at least this many tokens. Fewer would make a plan useless. */
const SHORTEST = 8;

/**
 * Shortens the bounds if the prompt leaves too little of the context for the longest answer, so that the answer is still complete.
 * @param needed tokens of the longest answer
 * @param left tokens of the context that the prompt leaves
 */
export function fitBounds(bounds: readonly TextBound[], needed: number, left: number): readonly TextBound[] {
  if (left >= needed) return bounds;
  const share = Math.max(0, left) / needed;
  return bounds.map((bound) => ({
    ...bound,
    tokens: Math.min(bound.tokens, Math.max(SHORTEST, Math.floor(bound.tokens * share))),
  }));
}

/** Tracks the free texts of one answer. */
export class BoundedText {
  readonly #bounds: readonly TextBound[];
  readonly #texts: TokenTexts;
  #open: TextBound | null;
  #tokens = 0;
  #blanks = 0;
  #isEscaped = false;
  /**
   * The part of a closing sequence (one of `TextBound.ends`) that is not written yet. `null`: no closing
   * sequence has begun.
   */
  #ending: string | null = null;

  constructor(bounds: readonly TextBound[], texts: TokenTexts) {
    this.#bounds = bounds;
    this.#texts = texts;
    this.#open = bounds.find(({ opens }) => opens === null) ?? null;
  }

  /** Whether the next token has a limit in addition to the grammar. */
  get isLimited(): boolean {
    return this.#open !== null && (this.#tokens >= this.#open.tokens || this.#blanks >= MOST_BLANK);
  }

  accept(token: number): void {
    if (this.#bounds.length === 0) return;
    const text = this.#texts.of(token);
    const before = this.#open;
    this.#tokens++;
    this.#blanks = this.#blankPattern().test(text) ? this.#blanks + 1 : 0;
    for (const character of text) this.#advance(character);
    const continues = this.#open === before && this.#ending?.startsWith(text);
    this.#ending = continues ? (this.#ending?.slice(text.length) ?? null) : null;
  }

  #advance(character: string): void {
    if (!this.#open) {
      this.#open = this.#bounds.find(({ opens }) => opens === character) ?? null;
      this.#tokens = 0;
      this.#blanks = 0;
      return;
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\' && this.#open.opens !== null) this.#isEscaped = true;
    else if (character === this.#open.closes) this.#open = null;
  }

  /**
   * @param isAllowed whether the grammar accepts a token next
   * @returns a limit under which at least one token is allowed. `null`: no limit in addition to the grammar
   */
  narrow(isAllowed: (token: number) => boolean): NextTokens | null {
    if (!this.#open || !this.isLimited) return null;
    return this.#tokens >= this.#open.tokens ? this.#closing(this.#open, isAllowed) : this.#visible(isAllowed);
  }

  #closing(open: TextBound, isAllowed: (token: number) => boolean): NextTokens | null {
    for (const end of this.#ending ? [this.#ending] : open.ends) {
      const tokens = this.#texts.towards(end).filter(isAllowed);
      if (tokens.length === 0) continue;
      this.#ending = end;
      return { kind: 'only', tokens };
    }
    // In the middle of an escape or a multi-byte character, the grammar allows no closing token. Tokens of one byte complete the
    // escape or the character without beginning another one.
    const tokens = this.#texts.shortest().filter(isAllowed);
    return tokens.length > 0 ? { kind: 'only', tokens } : null;
  }

  #visible(isAllowed: (token: number) => boolean): NextTokens | null {
    const tokens = this.#texts.matching(this.#blankPattern());
    const blank = new Set(tokens);
    const isLeft = this.#texts.some((token) => !blank.has(token) && isAllowed(token));
    return isLeft ? { kind: 'except', tokens } : null;
  }

  #blankPattern(): RegExp {
    if (this.#open?.opens === null) return BLANK;
    return this.#isEscaped ? BLANK_AFTER_BACKSLASH : BLANK_IN_STRING;
  }
}
