/**
 * @file Strings as models quote them: Python's and JSON's, triple quotes, prefixes, typographic quotes, back-ticks, raw
 * newlines inside. One string is read in one pass over its characters.
 */

/** Counts the characters looked at, so that tests can hold the reading to linear work without a clock. */
export interface ParseWork {
  steps: number;
}

/** A string that was read. `end` is the offset just after its closing quote. */
export interface QuotedString {
  readonly value: string;
  readonly end: number;
}

/** What closes a string, by what opens it. „German“ and «French» quotes stand beside “English” ones. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '„': '“”',
  '‘': '’',
  '’': '’',
  '‚': '‘’',
  '«': '»',
};

/** What single letters after a backslash stand for, in JSON and in Python alike. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '/': '/',
  '\\': '\\',
  '\n': '',
};
/** How many hexadecimal digits follow which letter. */
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const PREFIX = /[bfru]{1,2}(?=["'“”‘’„‚«])/iy;

/** The offset of the opening quote of a string that begins at `at`, past a prefix such as `f` or `rb`; -1 if none does. */
export function openingQuote(text: string, at: number): number {
  PREFIX.lastIndex = at;
  const prefix = PREFIX.exec(text)?.[0].length ?? 0;
  return Object.hasOwn(CLOSERS, text.charAt(at + prefix)) ? at + prefix : -1;
}

/**
 * Reads the string that begins at `at`.
 * @param quote where its opening quote stands, from {@link openingQuote}
 * @returns `null` if the text ends before the string does
 */
export function readString(text: string, at: number, quote: number, work: ParseWork): QuotedString | null {
  const raw = /r/i.test(text.slice(at, quote));
  const opener = text.charAt(quote);
  const triple = (opener === '"' || opener === "'") && text.startsWith(opener.repeat(3), quote);
  const closers = CLOSERS[opener] ?? '';
  const width = triple ? 3 : 1;
  let value = '';
  let from = quote + width;
  for (let index = from; index < text.length; index++) {
    work.steps++;
    const character = text.charAt(index);
    if (character === '\\') {
      if (index + 1 >= text.length) return null;
      const escape = raw ? { value: text.slice(index, index + 2), length: 2 } : readEscape(text, index);
      value += text.slice(from, index) + escape.value;
      index += escape.length - 1;
      from = index + 1;
    } else if (closers.includes(character) && closes(text, index, triple)) {
      return { value: value + text.slice(from, index), end: index + width };
    }
  }
  return null;
}

/** A single quote between letters is an apostrophe: models forget to escape it, and no list goes on with a letter. */
function closes(text: string, index: number, triple: boolean): boolean {
  const character = text.charAt(index);
  if (triple) return text.startsWith(character.repeat(3), index);
  if (character !== "'" && character !== '’') return true;
  return !(isLetter(text.charAt(index - 1)) && isLetter(text.charAt(index + 1)));
}

function isLetter(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}

/** What Python does not know as an escape it leaves as it stands, backslash and all; LaTeX lives on that. */
function readEscape(text: string, at: number): { value: string; length: number } {
  const letter = text.charAt(at + 1);
  const plain = ESCAPES[letter];
  if (plain !== undefined) return { value: plain, length: 2 };
  if (Object.hasOwn(CLOSERS, letter) || letter === '»') return { value: letter, length: 2 };
  const digits = HEX_LENGTHS[letter] ?? 0;
  const code = text.slice(at + 2, at + 2 + digits);
  if (digits === 0 || code.length < digits || !/^[0-9a-f]+$/i.test(code)) {
    return { value: text.slice(at, at + 2), length: 2 };
  }
  const point = Number.parseInt(code, 16);
  return { value: point > 0x10ffff ? '\ufffd' : fromCode(point), length: 2 + digits };
}

/** Halves of a surrogate pair come one by one and join by standing side by side. */
function fromCode(point: number): string {
  return point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(point);
}
