/** @file Decodes the texts of a model's tokens, and finds tokens by their text. */

export interface Vocabulary {
  /** Encoded texts of the tokens, by id. Empty for tokens that a grammar must not use. */
  readonly tokens: readonly string[];
  readonly encoding: 'byte_level' | 'byte_fallback' | 'raw';
}

/** Looks up tokens by id or by text. */
export class TokenTexts {
  readonly #read: () => readonly string[];
  readonly #found = new Map<string, readonly number[]>();
  #texts: readonly string[] | null = null;

  /** @param read returns the texts of all tokens, by id. Called once, when first needed */
  constructor(read: () => readonly string[]) {
    this.#read = read;
  }

  of(token: number): string {
    return this.#all()[token] ?? '';
  }

  /** The ids of tokens whose text is a prefix of this text, or begins with this text. */
  towards(text: string): readonly number[] {
    return this.#find(`towards ${text}`, (token) => token !== '' && (text.startsWith(token) || token.startsWith(text)));
  }

  /** The ids of tokens of one character. */
  shortest(): readonly number[] {
    return this.#find('shortest', (token) => token.length === 1);
  }

  /** The ids of tokens whose text matches a pattern. Tokens without text never match. */
  matching(pattern: RegExp): readonly number[] {
    return this.#find(`matching ${pattern.source}`, (token) => token !== '' && pattern.test(token));
  }

  some(fits: (token: number) => boolean): boolean {
    return this.#all().some((_, token) => fits(token));
  }

  #find(key: string, fits: (token: string) => boolean): readonly number[] {
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.#all().flatMap((token, id) => (fits(token) ? [id] : []));
    this.#found.set(key, found);
    return found;
  }

  #all(): readonly string[] {
    this.#texts ??= this.#read();
    return this.#texts;
  }
}

/** Decodes the text of each token. Each encoded byte becomes one character. */
export function tokenTexts({ tokens, encoding }: Vocabulary): string[] {
  switch (encoding) {
    case 'byte_level': {
      const bytes = byteOf();
      return tokens.map((token) => Array.from(token, (character) => bytes.get(character) ?? character).join(''));
    }
    case 'byte_fallback':
      return tokens.map((token) => {
        const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(token) ?? [];
        return byte === undefined ? token.replaceAll('\u2581', ' ') : String.fromCharCode(Number.parseInt(byte, 16));
      });
    case 'raw':
      return [...tokens];
    default:
      return encoding satisfies never;
  }
}

/**
 * GPT-2's encoding of unprintable bytes. Each of these bytes is written as a character from U+0100 on, and
 * the map returns the byte of such a character. Printable bytes are not encoded, so the map omits them.
 */
function byteOf(): ReadonlyMap<string, string> {
  const bytes = new Map<string, string>();
  for (let byte = 0; byte < 256; byte++) {
    const prints = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    const written = prints ? byte : 256 + bytes.size;
    if (!prints) bytes.set(String.fromCharCode(written), String.fromCharCode(byte));
  }
  return bytes;
}
