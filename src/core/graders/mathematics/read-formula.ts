/**
 * @file Reads a whole formula. This file reads numbers, symbols, functions and matrices. `ArithmeticReader` reads the operators
 * and brackets between them.
 */
import { ArithmeticReader, times } from './arithmetic-reader';
import { Unreadable } from './token-cursor';
import { splitAt, type Token } from './tokens';
import type { Formula } from './value';

/** Functions whose argument needs no brackets. Without brackets, the argument consists of the factors that follow. */
const FUNCTIONS = new Set([
  'sin',
  'cos',
  'tan',
  'cot',
  'sec',
  'csc',
  'arcsin',
  'arccos',
  'arctan',
  'sinh',
  'cosh',
  'tanh',
  'ln',
  'log',
  'lg',
  'exp',
  'gcd',
  'lcm',
  'max',
  'min',
  'det',
  'arg',
  'Re',
  'Im',
  'deg',
]);
/** Operators that are read as unknown functions of their parts, because they cannot be evaluated. */
const BIG = new Set(['sum', 'prod', 'int', 'iint', 'oint', 'lim', 'bigcup', 'bigcap']);
/** Commands that change the look of their argument. They are read as unknown functions. */
const WRAPPERS = new Set([
  'overline',
  'vec',
  'hat',
  'bar',
  'overrightarrow',
  'widehat',
  'underline',
  'mathbb',
  'mathcal',
  'tilde',
  'overset',
]);
/** Letters that are read as the name of a function if `(` follows. */
const CALLABLE = /^[fghFGHPQWT]$/;
const MATRIX = /^[pbvBV]?matrix$|^array$|^smallmatrix$/;

/** Reads all tokens as one formula. `null`: they are not one formula, or the formula is nested too deeply. */
export function readFormula(tokens: readonly Token[]): Formula | null {
  return readNested(tokens, 0, 0);
}

/** @param nested levels of nesting around the tokens, as counted by `ArithmeticReader` */
function readNested(tokens: readonly Token[], depth: number, nested: number): Formula | null {
  try {
    const reader = new FormulaReader(tokens, nested);
    const formula = reader.sum(depth);
    return reader.isAtEnd ? formula : null;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return null;
    throw thrown;
  }
}

class FormulaReader extends ArithmeticReader {
  protected number(literal: string, depth: number): Formula {
    if (this.consumeSign('_')) {
      const base = this.#group(depth);
      if (base.kind !== 'number') throw new Unreadable();
      return { kind: 'based', digits: literal, base: base.literal };
    }
    return this.#mixed(literal, depth);
  }

  /** Reads a number and a proper fraction after it as their sum, as in `1 \frac{1}{2}`. */
  #mixed(literal: string, depth: number): Formula {
    const whole: Formula = { kind: 'number', literal };
    const next = this.next;
    if (next?.kind !== 'command' || next.text !== 'frac' || literal.includes('.')) return whole;
    const start = this.at;
    // Only fractions with a plain number as numerator are tried. A fraction that turns out not to be proper is read a second
    // time by the caller. With nested numerators, this would take exponential time.
    if (!this.#isNumber(start + 1)) return whole;
    const written = this.tokens.slice(start, start + 3);
    this.at++;
    const fraction = this.command('frac', depth);
    const isProper =
      fraction.kind === 'quotient' &&
      fraction.over.kind === 'number' &&
      fraction.under.kind === 'number' &&
      Number(fraction.over.literal) < Number(fraction.under.literal);
    if (isProper) return { kind: 'sum', terms: [whole, fraction] };
    this.tokens.splice(start, written.length, ...written);
    this.at = start;
    return whole;
  }

  /** Whether a number, or a number in braces, begins at a token. */
  #isNumber(at: number): boolean {
    const [first, second, third] = this.tokens.slice(at, at + 3);
    if (first?.kind === 'number') return true;
    return first?.text === '{' && second?.kind === 'number' && third?.text === '}';
  }

  protected symbol(letter: string, depth: number): Formula {
    let name = letter;
    while (this.consumeSign("'")) name += "'";
    if (this.consumeSign('_')) {
      const index = this.#group(depth);
      if (index.kind === 'number') name += `_${index.literal}`;
      else if (index.kind === 'symbol') name += `_${index.name}`;
      else return { kind: 'call', name: `${name}_`, parts: [index] };
    }
    const isCall = CALLABLE.test(letter) && this.next?.kind === 'sign' && this.next.text === '(';
    if (!isCall) return { kind: 'symbol', name };
    this.at++;
    return { kind: 'call', name, parts: this.#until(')', depth) };
  }

  protected command(name: string, depth: number): Formula {
    if (name === 'frac') return { kind: 'quotient', over: this.argument(depth), under: this.argument(depth) };
    if (name === 'sqrt') return this.#root(depth);
    if (name === 'binom') return { kind: 'call', name, parts: [this.argument(depth), this.argument(depth)] };
    if (name === 'lfloor' || name === 'lceil') {
      const inside = this.sum(depth + 1);
      this.consume();
      return { kind: 'call', name: name === 'lfloor' ? 'floor' : 'ceil', parts: [inside] };
    }
    if (name === 'begin') return this.#matrix(depth);
    if (WRAPPERS.has(name)) return { kind: 'call', name, parts: [this.argument(depth)] };
    if (BIG.has(name)) return this.#big(name, depth);
    if (FUNCTIONS.has(name)) return this.#function(name, depth);
    return this.symbol(`\\${name}`, depth);
  }

  #root(depth: number): Formula {
    let degree: Formula = { kind: 'number', literal: '2' };
    if (this.consumeSign('[')) {
      degree = this.sum(depth + 1);
      this.expect(']');
    }
    return { kind: 'call', name: 'root', parts: [this.argument(depth), degree] };
  }

  #big(name: string, depth: number): Formula {
    const parts: Formula[] = [];
    for (let sign = this.consumeSign('_', '^'); sign; sign = this.consumeSign('_', '^')) parts.push(this.#bound(depth));
    if (this.startsFactor()) parts.push(this.product(depth + 1));
    return { kind: 'call', name, parts };
  }

  /**
   * The bound of an operator such as a sum or a limit: a formula, `k = 1`, or `x \to 0`. The latter two are read as calls of a
   * function `from`, with both sides as arguments.
   */
  #bound(depth: number): Formula {
    if (!this.consumeSign('{')) return this.argument(depth);
    const left = this.sum(depth + 1);
    if (this.consumeSign('=') || this.consumeCommand('to', 'rightarrow')) {
      const right = this.sum(depth + 1);
      this.expect('}');
      return { kind: 'call', name: 'from', parts: [left, right] };
    }
    this.expect('}');
    return left;
  }

  #function(name: string, depth: number): Formula {
    const base = this.consumeSign('_') ? this.#group(depth) : null;
    const exponent = this.consumeSign('^') ? this.argument(depth) : null;
    let parts: Formula[];
    if (this.consumeSign('(')) parts = this.#until(')', depth);
    else {
      // Without brackets, the argument is a power and the plain factors after it, as in sin 2x.
      let argument = this.power(depth + 1);
      while (this.startsFactor() && this.#isPlainFactor()) argument = times(argument, this.power(depth + 1));
      parts = [argument];
    }
    const call: Formula = { kind: 'call', name, parts: base ? [...parts, base] : parts };
    const isInverse = exponent?.kind === 'negative' && exponent.of.kind === 'number' && exponent.of.literal === '1';
    if (isInverse && /^(?:sin|cos|tan)$/.test(name)) return { ...call, name: `arc${name}` };
    return exponent ? { kind: 'power', base: call, exponent } : call;
  }

  #isPlainFactor(): boolean {
    const token = this.next;
    return (
      token !== undefined &&
      (token.kind === 'letter' ||
        token.kind === 'number' ||
        (token.kind === 'command' && /^(?:pi|alpha|beta|gamma|theta|phi|frac|omega|sqrt)$/.test(token.text)))
    );
  }

  #matrix(depth: number): Formula {
    const name = this.#environment();
    if (!MATRIX.test(name)) throw new Unreadable();
    if (name === 'array' && this.next?.text === '{') this.#skipGroup();
    const start = this.at;
    let open = 1;
    while (open > 0) {
      const token = this.consume();
      if (token.kind === 'command' && token.text === 'begin') open++;
      if (token.kind === 'command' && token.text === 'end') open--;
    }
    const inside = this.tokens.slice(start, this.at - 1);
    this.#environment();
    const lines = splitAt(inside, ({ text, kind }) => kind === 'sign' && text === 'row').parts.filter(
      (line) => line.length > 0,
    );
    const rows = lines.map((line) =>
      splitAt(line, ({ text, kind }) => kind === 'sign' && text === '&').parts.map((cell) => {
        const entry = readNested(cell, depth + 1, this.nested);
        if (!entry) throw new Unreadable();
        return entry;
      }),
    );
    if (rows.length === 0 || rows.some((row) => row.length !== rows[0]?.length)) throw new Unreadable();
    return { kind: 'matrix', rows };
  }

  /** Reads the name in braces after `\begin` or `\end`. */
  #environment(): string {
    this.expect('{');
    let name = '';
    for (let token = this.consume(); token.text !== '}'; token = this.consume()) name += token.text;
    return name;
  }

  #skipGroup(): void {
    while (this.consume().text !== '}');
  }

  /** A group in braces, or one whole token. */
  #group(depth: number): Formula {
    const token = this.next;
    if (token?.kind === 'number') return { kind: 'number', literal: this.consume().text };
    if (token?.kind === 'letter') return { kind: 'symbol', name: this.consume().text };
    if (!this.consumeSign('{')) return this.primary(depth + 1);
    const letters: string[] = [];
    const start = this.at;
    while (this.next?.kind === 'letter') letters.push(this.consume().text);
    if (letters.length > 0 && this.consumeSign('}')) return { kind: 'symbol', name: letters.join('') };
    this.at = start;
    const inside = this.sum(depth + 1);
    this.expect('}');
    return inside;
  }

  #until(close: string, depth: number): Formula[] {
    const parts = [this.sum(depth + 1)];
    while (this.consumeSign(',')) parts.push(this.sum(depth + 1));
    this.expect(close);
    return parts;
  }
}
