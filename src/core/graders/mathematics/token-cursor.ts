/** @file Reads the tokens of a formula one after another. */
import type { Token } from './tokens';

/** Thrown if the tokens are not a formula, or the formula is nested too deeply. */
export class Unreadable extends Error {}

export class TokenCursor {
  protected readonly tokens: Token[];
  protected at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = [...tokens];
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  protected get next(): Token | undefined {
    return this.tokens[this.at];
  }

  /** Returns the next token and moves past it. Throws `Unreadable` at the end. */
  protected consume(): Token {
    const token = this.next;
    if (!token) throw new Unreadable();
    this.at++;
    return token;
  }

  /** Consumes the next token if it is one of these signs. @returns the sign. `null`: the next token is not one of them */
  protected consumeSign(...signs: readonly string[]): string | null {
    const token = this.next;
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return null;
    this.at++;
    return token.text;
  }

  /** Consumes the next token if it is one of these commands. @returns whether it was consumed */
  protected consumeCommand(...names: readonly string[]): boolean {
    const token = this.next;
    if (token?.kind !== 'command' || !names.includes(token.text)) return false;
    this.at++;
    return true;
  }

  /** Consumes the next token. Throws `Unreadable` if it is not this sign. */
  protected expect(sign: string): void {
    if (!this.consumeSign(sign)) throw new Unreadable();
  }
}
