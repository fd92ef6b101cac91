/** @file Reads the arithmetic of a formula by recursive descent: signs, sums, products, powers, factorials and brackets. */
import { TokenCursor, Unreadable } from './token-cursor';
import type { Token } from './tokens';
import type { Formula } from './value';

/** Maximum depth of brackets. Formulas with deeper brackets are not read, so that the stack stays bounded. */
const DEEPEST = 60;
/**
 * Maximum number of factorials, slashes, ± signs, and signs before a factor. Each of them nests the formula one level deeper,
 * which needs more stack. So formulas with more of them are not read.
 */
const MOST_NESTED = 200;

/** Reads the operators and brackets. Its subclass reads the operands. */
export abstract class ArithmeticReader extends TokenCursor {
  /** Number of nesting signs so far, including those around these tokens. See `MOST_NESTED`. */
  protected nested: number;
  /** Number of open absolute values. While one is open, a bar after a factor closes it. */
  #bars = 0;

  constructor(tokens: readonly Token[], nested: number) {
    super(tokens);
    this.nested = nested;
  }

  protected abstract number(literal: string, depth: number): Formula;
  /** @param letter the first letter of the symbol's name, or a whole command such as `\alpha` */
  protected abstract symbol(letter: string, depth: number): Formula;
  protected abstract command(name: string, depth: number): Formula;

  /** Counts one level of nesting. */
  #nest(): void {
    this.nested++;
    if (this.nested > MOST_NESTED) throw new Unreadable();
  }

  sum(depth: number): Formula {
    if (depth > DEEPEST) throw new Unreadable();
    let first: Formula | null = null;
    const terms: Formula[] = [];
    const flush = (): Formula | null =>
      terms.length === 0 ? null : terms.length === 1 ? (terms[0] ?? null) : { kind: 'sum', terms: [...terms] };
    for (;;) {
      const sign = this.consumeSign('+', '-', '±', '∓');
      if (!sign && (terms.length > 0 || first)) break;
      const term = this.product(depth);
      if (sign === '±' || sign === '∓') {
        this.#nest();
        first = { kind: 'plus-minus', left: flush(), right: term, sign: sign === '±' ? 1 : -1 };
        terms.splice(0, terms.length, first);
      } else terms.push(sign === '-' ? { kind: 'negative', of: term } : term);
    }
    const all = flush();
    if (!all) throw new Unreadable();
    return all;
  }

  protected product(depth: number): Formula {
    let formula = this.#signed(depth);
    for (;;) {
      const operator = this.consumeSign('*', '/');
      if (operator === '/') {
        this.#nest();
        formula = { kind: 'quotient', over: formula, under: this.#signed(depth) };
      } else if (operator === '*') formula = times(formula, this.#signed(depth));
      else if (this.startsFactor()) formula = times(formula, this.power(depth));
      else return formula;
    }
  }

  /** A factor that may carry a sign, as in `2 * -3`. */
  #signed(depth: number): Formula {
    const sign = this.consumeSign('-', '+');
    if (sign) {
      this.#nest();
      const of = this.#signed(depth);
      return sign === '-' ? { kind: 'negative', of } : of;
    }
    return this.power(depth);
  }

  protected power(depth: number): Formula {
    const base = this.#postfix(this.primary(depth));
    if (!this.consumeSign('^')) return base;
    const exponent = this.argument(depth);
    return this.#postfix({ kind: 'power', base, exponent });
  }

  #postfix(formula: Formula): Formula {
    let result = formula;
    while (this.consumeSign('!')) {
      this.#nest();
      result = { kind: 'call', name: 'factorial', parts: [result] };
    }
    return result;
  }

  protected startsFactor(): boolean {
    const token = this.next;
    if (!token) return false;
    if (token.kind === 'command')
      return token.text !== 'end' && token.text !== 'rfloor' && token.text !== 'rceil' && token.text !== 'right';
    if (token.kind !== 'sign') return true;
    if (token.text === '|') return this.#bars === 0;
    return token.text === '(' || token.text === '[' || token.text === '{';
  }

  protected primary(depth: number): Formula {
    if (depth > DEEPEST) throw new Unreadable();
    const token = this.consume();
    switch (token.kind) {
      case 'number':
        return this.number(token.text, depth);
      case 'letter':
        return this.symbol(token.text, depth);
      case 'command':
        return this.command(token.text, depth);
      case 'sign':
        return this.#bracket(token.text, depth);
      default:
        return token.kind satisfies never;
    }
  }

  #bracket(sign: string, depth: number): Formula {
    if (sign === '|') {
      this.#bars++;
      const inside = this.sum(depth + 1);
      this.expect('|');
      this.#bars--;
      return { kind: 'call', name: 'abs', parts: [inside] };
    }
    const close = sign === '(' ? ')' : sign === '[' ? ']' : sign === '{' ? '}' : null;
    if (!close) throw new Unreadable();
    const bars = this.#bars;
    this.#bars = 0;
    const inside = this.sum(depth + 1);
    this.expect(close);
    this.#bars = bars;
    return inside;
  }

  /** An argument of a command or of `^`. Takes only the first digit of a whole number: `\frac12` has the arguments 1 and 2. */
  protected argument(depth: number): Formula {
    const token = this.next;
    if (token?.kind === 'number' && token.text.length > 1 && !token.text.includes('.')) {
      this.tokens[this.at] = { kind: 'number', text: token.text.slice(1) };
      return { kind: 'number', literal: token.text.charAt(0) };
    }
    if (token?.kind === 'number') return { kind: 'number', literal: this.consume().text };
    if (this.consumeSign('-')) {
      this.#nest();
      return { kind: 'negative', of: this.argument(depth) };
    }
    return this.primary(depth + 1);
  }
}

export function times(left: Formula, right: Formula): Formula {
  const factors = left.kind === 'product' ? left.factors : [left];
  return { kind: 'product', factors: [...factors, right] };
}
