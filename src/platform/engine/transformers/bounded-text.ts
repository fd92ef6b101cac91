/**
 * @file Limits the tokens of free texts under a grammar. When a text has used up its tokens, only tokens that close it are
 * allowed.
 */
import type { TextBound } from '../../../core/contract';

/** The vocabulary: the text of each token. Bytes beyond ASCII are one character each. */
export class TokenTexts {
  readonly #read: () => readonly string[];
  readonly #towards = new Map<string, readonly number[]>();
  #texts: readonly string[] | null = null;

  /** @param read called once, and only if a limit is used */
  constructor(read: () => readonly string[]) {
    this.#read = read;
  }

  of(token: number): string {
    return this.#all()[token] ?? '';
  }

  /** Tokens that begin a text or continue after it. */
  towards(text: string): readonly number[] {
    return this.#find(text, (token) => token !== '' && (text.startsWith(token) || token.startsWith(text)));
  }

  /** Tokens of one byte. */
  shortest(): readonly number[] {
    return this.#find('', (token) => token.length === 1);
  }

  #find(key: string, fits: (token: string) => boolean): readonly number[] {
    const known = this.#towards.get(key);
    if (known) return known;
    const found = this.#all().flatMap((token, id) => (fits(token) ? [id] : []));
    this.#towards.set(key, found);
    return found;
  }

  #all(): readonly string[] {
    this.#texts ??= this.#read();
    return this.#texts;
  }
}

/** Tracks the texts of one answer. */
export class BoundedText {
  readonly #bounds: readonly TextBound[];
  readonly #texts: TokenTexts;
  #open: TextBound | null;
  #tokens = 0;
  #isEscaped = false;
  /** The rest of a closing sequence that was begun. */
  #ending: string | null = null;

  constructor(bounds: readonly TextBound[], texts: TokenTexts) {
    this.#bounds = bounds;
    this.#texts = texts;
    this.#open = bounds.find(({ opens }) => opens === null) ?? null;
  }

  accept(token: number): void {
    if (this.#bounds.length === 0) return;
    const text = this.#texts.of(token);
    const before = this.#open;
    this.#tokens++;
    for (const character of text) this.#advance(character);
    const continues = this.#open === before && this.#ending?.startsWith(text);
    this.#ending = continues ? (this.#ending?.slice(text.length) ?? null) : null;
  }

  #advance(character: string): void {
    if (!this.#open) {
      this.#open = this.#bounds.find(({ opens }) => opens === character) ?? null;
      this.#tokens = 0;
      return;
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\' && this.#open.opens !== null) this.#isEscaped = true;
    else if (character === this.#open.closes) this.#open = null;
  }

  /** @param allowed a bit for each token. Not modified */
  narrow(allowed: Int32Array): Int32Array {
    if (!this.#open || this.#tokens < this.#open.tokens) return allowed;
    for (const end of this.#ending ? [this.#ending] : this.#open.ends) {
      const narrowed = only(this.#texts.towards(end), allowed);
      if (!narrowed) continue;
      this.#ending = end;
      return narrowed;
    }
    // Inside a character or an escape, only its remaining bytes are allowed, so that no token begins the next character.
    return only(this.#texts.shortest(), allowed) ?? allowed;
  }
}

/** @returns `null` if none of them is allowed */
function only(tokens: readonly number[], allowed: Int32Array): Int32Array | null {
  const narrowed = new Int32Array(allowed.length);
  let count = 0;
  for (const token of tokens) {
    const word = token >> 5;
    const bit = (allowed[word] ?? 0) & (1 << (token & 31));
    if (bit === 0) continue;
    narrowed[word] = (narrowed[word] ?? 0) | bit;
    count++;
  }
  return count > 0 ? narrowed : null;
}
