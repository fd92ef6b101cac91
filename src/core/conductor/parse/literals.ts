/**
 * @file Parses one list literal as in Python, in JSON, or as models write lists in prose. Evaluates nothing.
 */
import { openingQuote, readString, type ParseWork } from './strings';

/** A parsed value. `at` is its offset in the text. */
export type Literal =
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Literal[] }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'number'; readonly at: number; readonly value: number }
  /** A bare word with a meaning in a plan: `all`, `None`, `true`, `Model 2`. */
  | { readonly kind: 'word'; readonly at: number; readonly value: string }
  | { readonly kind: 'object'; readonly at: number };

/** A literal that could not be parsed. */
export interface Unreadable {
  readonly kind: 'unreadable';
  /** The offset where parsing stopped. */
  readonly at: number;
  /** Whether the text ended before the literal did. */
  readonly cutOff: boolean;
  /** A sentence that says what was found and what was expected. */
  readonly message: string;
}

export type Reading = { readonly kind: 'read'; readonly literal: Literal; readonly end: number } | Unreadable;

/** Maximum nesting, so that a text of many opening brackets can't overflow the stack. An access list needs two levels. */
const MAX_DEPTH = 8;
/** A list with more entries is rejected, because a million entries would fill the memory. */
const MOST_ENTRIES = 10_000;
const [HASH, SLASH, STAR, TICK, COMMA, COLON, PLUS, MINUS] = [0x23, 0x2f, 0x2a, 0x60, 0x2c, 0x3a, 0x2b, 0x2d];
const [LIST, TUPLE, OBJECT] = [0x5b, 0x28, 0x7b];
const NUMBER = /[+-]?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?/iy;
const NUMBERED_MODEL = /(?:model|worker|agent)(?:[ _-]?id)?[ _#:-]?\d{1,9}/iy;
const WORD = /(?:all|none|null|nil|undefined|true|false)(?![\p{L}\p{N}_])/iuy;
/** Matches a number or a word at the very end of the text, which may be incomplete. */
const PARTIAL = /[\w+-]+$/y;
const LONGEST_PARTIAL = 24;

/** Parses the list whose opening `[` or `(` is at offset `at`. */
export function readList(text: string, at: number, work: ParseWork): Reading {
  const reader = new LiteralReader(text, at, work);
  const literal = reader.readGroup(0);
  return literal ? { kind: 'read', literal, end: reader.position } : reader.problem;
}

const UNREAD: Unreadable = { kind: 'unreadable', at: 0, cutOff: false, message: '' };

class LiteralReader {
  problem = UNREAD;

  constructor(
    readonly text: string,
    public position: number,
    readonly work: ParseWork,
  ) {}

  /**
   * Parses `[…]`, `(…)` or `{…}`. As in Python, parentheses around one value without a comma only group that value. The
   * outermost parentheses always form a list.
   */
  readGroup(depth: number): Literal | null {
    const at = this.position;
    const opener = this.text.charCodeAt(at);
    const closer = closerOf(opener);
    if (depth >= MAX_DEPTH) return this.fail('Lists are nested too deeply; an access list has lists of step numbers.');
    const items: Literal[] = [];
    let commas = 0;
    this.position++;
    for (;;) {
      this.skipBlank();
      if (this.text.charCodeAt(this.position) === closer) break;
      if (items.length > commas) return this.fail(`A comma or ${String.fromCharCode(closer)} should stand here.`);
      if (items.length === MOST_ENTRIES) return this.fail(`A list may have ${MOST_ENTRIES} entries at most.`);
      const item = this.readValue(depth);
      if (!item) return null;
      items.push(item);
      this.skipBlank();
      const next = this.text.charCodeAt(this.position);
      if (next !== COMMA && !(next === COLON && opener === OBJECT)) continue;
      commas++;
      this.position++;
    }
    this.position++;
    if (opener === OBJECT) return { kind: 'object', at };
    const [only] = items;
    if (opener === TUPLE && depth > 0 && only && items.length === 1 && commas === 0) return only;
    return { kind: 'list', at, items };
  }

  private readValue(depth: number): Literal | null {
    this.skipTicks();
    const at = this.position;
    const first = this.text.charCodeAt(at);
    if (closerOf(first) > 0) return this.readGroup(depth + 1);
    const quote = openingQuote(this.text, at);
    if (quote >= 0) return this.readText(quote);
    if (isDigit(first) || first === PLUS || first === MINUS) {
      const value = this.readNumber(first);
      if (value !== null) return { kind: 'number', at, value };
    }
    const word = this.match(NUMBERED_MODEL) ?? this.match(WORD);
    if (word !== null) return { kind: 'word', at, value: word };
    PARTIAL.lastIndex = at;
    if (this.text.length - at <= LONGEST_PARTIAL && PARTIAL.test(this.text)) this.position = this.text.length;
    return this.fail('A number, a string in quotes or a list should stand here.');
  }

  private readNumber(first: number): number | null {
    // A fast path for single digits.
    const next = this.text.charAt(this.position + 1);
    if (isDigit(first) && (next === ']' || next === ',')) {
      this.position++;
      this.work.steps++;
      return first - 0x30;
    }
    const written = this.match(NUMBER);
    return written === null ? null : Number(written.replaceAll('_', ''));
  }

  /** Parses a string. Adjacent strings count as one string, with or without a plus between them. */
  private readText(quote: number): Literal | null {
    const at = this.position;
    let value = '';
    let begin = at;
    for (let opening = quote; opening >= 0; opening = openingQuote(this.text, begin)) {
      const string = readString(this.text, begin, opening, this.work);
      if (!string) return this.failAtEnd(begin);
      value += string.value;
      this.position = string.end;
      this.skipBlank();
      begin = this.position;
      if (this.text.charCodeAt(begin) !== PLUS) continue;
      this.position++;
      this.skipBlank();
      begin = this.position;
      if (openingQuote(this.text, begin) < 0) return this.fail('A string should follow the plus.');
    }
    return { kind: 'text', at, value };
  }

  /** Skips back-ticks before a number, a quote or a bracket. Before any other character, a back-tick is an opening quote. */
  private skipTicks(): void {
    let index = this.position;
    while (this.text.charCodeAt(index) === TICK) index++;
    this.work.steps += index - this.position;
    if (index > this.position && /["'“‘„[({\d+-]/.test(this.text.charAt(index))) this.position = index;
  }

  /** Skips white space, comments and, after a value, back-ticks. */
  private skipBlank(): void {
    const first = this.position;
    for (;;) {
      this.work.steps++;
      const code = this.text.charCodeAt(this.position);
      const next = code === SLASH ? this.text.charCodeAt(this.position + 1) : 0;
      if (code === HASH || next === SLASH) this.skipPast('\n', 1);
      else if (next === STAR) this.skipPast('*/', 2);
      else if (isBlank(code) || (code === TICK && this.closesTick(first))) this.position++;
      else return;
    }
  }

  /**
   * Whether a value ends at offset `first`, so that back-ticks after it belong to the value. After a comma or an
   * opening bracket, a back-tick begins the next value instead.
   */
  private closesTick(first: number): boolean {
    const before = this.text.charCodeAt(first - 1);
    return closerOf(before) === 0 && before !== COMMA;
  }

  private skipPast(mark: string, from: number): void {
    const found = this.text.indexOf(mark, this.position + from);
    const next = found < 0 ? this.text.length : found + mark.length;
    this.work.steps += next - this.position;
    this.position = next;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) {
      this.position += found.length;
      this.work.steps += found.length;
    }
    return found;
  }

  private fail(message: string): null {
    if (this.position >= this.text.length) return this.failAtEnd(this.position);
    this.problem = { kind: 'unreadable', at: this.position, cutOff: false, message };
    return null;
  }

  private failAtEnd(at: number): null {
    this.position = this.text.length;
    this.problem = { kind: 'unreadable', at, cutOff: true, message: 'What begins here is never closed.' };
    return null;
  }
}

/** The closing bracket for an opening bracket, or 0. */
function closerOf(opener: number): number {
  if (opener === TUPLE) return 0x29;
  return opener === LIST || opener === OBJECT ? opener + 2 : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a character is white space, as `trim` and `\s` define it. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return String.fromCharCode(code).trim() === '';
}
