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
const CLOSERS: ReadonlyMap<number, string> = new Map(
  Object.entries({
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
  }).map(([opener, closers]) => [opener.charCodeAt(0), closers]),
);
const BACKSLASH = 0x5c;
const BACKTICK = 0x60;
const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;

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

/** The offset of the opening quote of a string that begins at `at`, past a prefix such as `f` or `rb`; -1 if none does. */
export function openingQuote(text: string, at: number): number {
  let quote = at;
  while (quote < at + 2 && isPrefix(text.charCodeAt(quote))) quote++;
  const code = text.charCodeAt(quote);
  return CLOSERS.has(code) && !(quote > at && code === BACKTICK) ? quote : -1;
}

/** Whether it is one of the letters b, f, r and u. */
function isPrefix(code: number): boolean {
  const lower = code | 0x20;
  return lower === 0x62 || lower === 0x66 || lower === 0x72 || lower === 0x75;
}

/**
 * Reads the string that begins at `at`.
 * @param quote where its opening quote stands, from {@link openingQuote}
 * @returns `null` if the text ends before the string does
 */
export function readString(text: string, at: number, quote: number, work: ParseWork): QuotedString | null {
  const opener = text.charCodeAt(quote);
  const isTriple =
    (opener === 0x22 || opener === APOSTROPHE) &&
    text.charCodeAt(quote + 1) === opener &&
    text.charCodeAt(quote + 2) === opener;
  const width = isTriple ? 3 : 1;
  const from = quote + width;
  const closers = CLOSERS.get(opener) ?? '';
  // A closer that stands twice costs less to compare than a length of its own.
  const [closer, other] = [closers.charCodeAt(0), closers.charCodeAt(closers.length - 1)];
  let hasEscapes = false;
  let index = from;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) {
      hasEscapes = true;
      index++;
    } else if ((code === closer || code === other) && closes(text, index, code, isTriple)) {
      break;
    }
  }
  work.steps += index - from;
  if (index >= text.length) return null;
  const written = text.slice(from, index);
  const isRaw = hasEscapes && /r/i.test(text.slice(at, quote));
  return { value: hasEscapes && !isRaw ? unescaped(written) : written, end: index + width };
}

/** A single quote between letters is an apostrophe: models forget to escape it, and no list goes on with a letter. */
function closes(text: string, index: number, code: number, isTriple: boolean): boolean {
  if (isTriple) return text.charCodeAt(index + 1) === code && text.charCodeAt(index + 2) === code;
  if (code !== APOSTROPHE && code !== CURLY_APOSTROPHE) return true;
  return !(isLetter(text.charAt(index - 1)) && isLetter(text.charAt(index + 1)));
}

function isLetter(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}

/** @param written what stands between the quotes; every backslash in it has a character after it */
function unescaped(written: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = written.indexOf('\\'); at >= 0; at = written.indexOf('\\', from)) {
    if (at > from) pieces.push(written.slice(from, at));
    const escape = readEscape(written, at);
    pieces.push(escape.value);
    from = at + escape.length;
  }
  pieces.push(written.slice(from));
  return pieces.join('');
}

/** What Python does not know as an escape it leaves as it stands, backslash and all; LaTeX lives on that. */
function readEscape(text: string, at: number): { value: string; length: number } {
  const letter = text.charAt(at + 1);
  const plain = ESCAPES[letter];
  if (plain !== undefined) return { value: plain, length: 2 };
  if (CLOSERS.has(letter.charCodeAt(0)) || letter === '»') return { value: letter, length: 2 };
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
