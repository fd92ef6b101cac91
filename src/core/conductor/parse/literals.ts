/**
 * @file Reads one list literal as Python, JSON or a person would write it, and evaluates nothing. Nesting is bounded, so
 * that a megabyte of brackets is refused at the ninth.
 */
import { openingQuote, readString, type ParseWork } from './strings';

/** A value that was read. `at` is where it begins in the text. */
export type Literal =
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Literal[] }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'number'; readonly at: number; readonly value: number }
  /** A bare word that means something in a plan: `all`, `None`, `true`, `Model 2`. */
  | { readonly kind: 'word'; readonly at: number; readonly value: string }
  | { readonly kind: 'object'; readonly at: number };

/** A literal that could not be read. */
export interface Unreadable {
  readonly kind: 'unreadable';
  /** Where reading stopped. */
  readonly at: number;
  /** The text ended before the literal did. */
  readonly cutOff: boolean;
  /** A sentence that says what was found and what should stand there. */
  readonly message: string;
}

export type Reading = { readonly kind: 'read'; readonly literal: Literal; readonly end: number } | Unreadable;

/** Deepest nesting that is read. An access list needs two levels; a few more let a wrong type be named as one. */
const MAX_DEPTH = 8;
const BRACKETS: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const NUMBER = /[+-]?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?/iy;
const NUMBERED_MODEL = /(?:model|worker|agent)(?:[ _-]?id)?[ _#:-]?\d{1,9}/iy;
const WORD = /(?:all|none|null|nil|undefined|true|false)(?![\p{L}\p{N}_])/iuy;
/** What may be left of a number or a word when the text ends inside it. */
const PARTIAL = /[\w+-]{1,24}$/y;

/**
 * Reads the list that begins at `at`.
 * @param at offset of its opening `[` or `(`
 */
export function readList(text: string, at: number, work: ParseWork): Reading {
  const reader = new LiteralReader(text, at, work);
  const literal = reader.readGroup(0);
  return literal ? { kind: 'read', literal, end: reader.position } : reader.problem;
}

class LiteralReader {
  problem: Unreadable = { kind: 'unreadable', at: 0, cutOff: false, message: '' };

  constructor(
    readonly text: string,
    public position: number,
    readonly work: ParseWork,
  ) {}

  /** Reads `[…]`, `(…)` or `{…}`. As in Python, brackets around one value without a comma only group it; the outermost are always a list. */
  readGroup(depth: number): Literal | null {
    const at = this.position;
    const opener = this.text.charAt(at);
    const closer = BRACKETS[opener] ?? '';
    if (depth >= MAX_DEPTH) return this.fail('Lists are nested too deeply; an access list has lists of step numbers.');
    const items: Literal[] = [];
    let commas = 0;
    this.position++;
    for (;;) {
      this.skipBlank();
      if (this.text.charAt(this.position) === closer) break;
      if (items.length > commas) return this.fail(`A comma or ${closer} should stand here.`);
      const item = this.readValue(depth);
      if (!item) return null;
      items.push(item);
      this.skipBlank();
      const next = this.text.charAt(this.position);
      if (next !== ',' && !(next === ':' && opener === '{')) continue;
      commas++;
      this.position++;
    }
    this.position++;
    if (opener === '{') return { kind: 'object', at };
    const [only] = items;
    if (opener === '(' && depth > 0 && only && items.length === 1 && commas === 0) return only;
    return { kind: 'list', at, items };
  }

  private readValue(depth: number): Literal | null {
    this.skipTicks();
    const at = this.position;
    if (Object.hasOwn(BRACKETS, this.text.charAt(at))) return this.readGroup(depth + 1);
    const quote = openingQuote(this.text, at);
    if (quote >= 0) return this.readText(quote);
    const number = this.match(NUMBER);
    if (number !== null) return { kind: 'number', at, value: Number(number.replaceAll('_', '')) };
    const word = this.match(NUMBERED_MODEL) ?? this.match(WORD);
    if (word !== null) return { kind: 'word', at, value: word };
    PARTIAL.lastIndex = at;
    if (PARTIAL.test(this.text)) this.position = this.text.length;
    return this.fail('A number, a string in quotes or a list should stand here.');
  }

  /** Strings side by side are one string, with or without a plus. */
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
      if (this.text.charAt(begin) !== '+') continue;
      this.position++;
      this.skipBlank();
      begin = this.position;
      if (openingQuote(this.text, begin) < 0) return this.fail('A string should follow the plus.');
    }
    return { kind: 'text', at, value };
  }

  /** Back-ticks around a value are dressing; around anything else they quote it. */
  private skipTicks(): void {
    let index = this.position;
    while (this.text.charAt(index) === '`') index++;
    this.work.steps += index - this.position;
    if (index > this.position && /["'“‘„[({\d+-]/.test(this.text.charAt(index))) this.position = index;
  }

  /** White space, comments and, after a value, back-ticks. */
  private skipBlank(): void {
    const first = this.position;
    for (;;) {
      this.work.steps++;
      const character = this.text.charAt(this.position);
      if (character === '#' || (character === '/' && this.text.charAt(this.position + 1) === '/')) {
        this.skipPast('\n', 1);
      } else if (character === '/' && this.text.charAt(this.position + 1) === '*') {
        this.skipPast('*/', 2);
      } else if (character !== '' && (character.trim() === '' || (character === '`' && this.closesTick(first)))) {
        this.position++;
      } else {
        return;
      }
    }
  }

  /** Whether back-ticks here belong to what stands before them. */
  private closesTick(first: number): boolean {
    const before = this.text.charAt(first - 1);
    return this.position >= first && before !== '[' && before !== '(' && before !== '{' && before !== ',';
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
