/**
 * @file Parses strings in all the forms that models use: Python and JSON strings, triple quotes, prefixes, typographic quotes,
 * back-ticks, and raw newlines. Takes time linear in the length of the string.
 */

/** `steps` counts the characters read, so that tests can check for linear time without a clock. */
export interface ParseWork {
  steps: number;
}

/** A parsed string. `end` is the offset after its closing quote. */
export interface QuotedString {
  readonly value: string;
  readonly end: number;
}

/** Closing quotes by opening quote, including „German“, «French» and “English” ones. */
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

/** The meaning of a character after a backslash, in JSON and in Python. */
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
/** Number of hexadecimal digits after the letter of an escape. */
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Finds the opening quote of a string. The string begins at offset `at`, and may have a prefix such as `f` or
 * `rb`.
 * @returns the offset of the quote, or -1 if no string begins at `at`
 */
export function openingQuote(text: string, at: number): number {
  let quote = at;
  while (quote < at + 2 && isPrefix(text.charCodeAt(quote))) quote++;
  const code = text.charCodeAt(quote);
  return CLOSERS.has(code) && !(quote > at && code === BACKTICK) ? quote : -1;
}

/** Whether a character is one of the letters b, f, r and u. */
function isPrefix(code: number): boolean {
  const lower = code | 0x20;
  return lower === 0x62 || lower === 0x66 || lower === 0x72 || lower === 0x75;
}

/**
 * Parses the string that begins at `at`.
 * @param quote offset of its opening quote, from {@link openingQuote}
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
  // Some quotes have two closers. For other quotes, both variables contain the same closer.
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

/**
 * Whether a quote closes a string. A single quote between letters is an apostrophe that the model forgot to escape. It can't
 * end the string, because no letter follows a string in a list.
 */
function closes(text: string, index: number, code: number, isTriple: boolean): boolean {
  if (isTriple) return text.charCodeAt(index + 1) === code && text.charCodeAt(index + 2) === code;
  if (code !== APOSTROPHE && code !== CURLY_APOSTROPHE) return true;
  return !(isLetter(text.charAt(index - 1)) && isLetter(text.charAt(index + 1)));
}

function isLetter(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}

/** @param written the text between the quotes */
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

/** As in Python, unknown escapes stay unchanged with their backslash. LaTeX commands in a text depend on that. */
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

/** The text of a code point, which may be half of a surrogate pair. */
function fromCode(point: number): string {
  return point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(point);
}
