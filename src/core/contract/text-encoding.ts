/**
 * @file Detects the encoding of text files, and decodes them piece by piece. Podium writes UTF-8, but Excel and PowerShell also
 * write UTF-16 and Windows-1252.
 */
import { fault, FaultError } from './fault';

/** The encodings that a user can choose, by their names in `TextDecoder`. The first four are also detected. */
export const TEXT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** Number of bytes to collect before the encoding is detected, if the file is that long. */
const SAMPLE = 1024;

/**
 * Decodes the pieces of one text. Without a given encoding, the encoding is detected: by a byte order mark, by zero bytes
 * (UTF-16), and otherwise UTF-8. If the first bytes that are not ASCII are not UTF-8, the text is Windows-1252. This needs no
 * second pass, because both encodings decode ASCII in the same way. Byte order marks are removed.
 */
export class TextReader {
  readonly #given: TextEncoding | null;
  #encoding: TextEncoding;
  /** The decoder of an encoding that never changes again. `null`: UTF-8 that is checked piece by piece. */
  #decoder: TextDecoder | null = null;
  /** Bytes that are not decoded yet: the sample, or an incomplete character. */
  #rest: Uint8Array = new Uint8Array();
  #hasBegun = false;
  #isAscii = true;
  #isDamaged = false;

  /** @param given `null`: detects the encoding */
  constructor(given: TextEncoding | null = null) {
    this.#given = given;
    this.#encoding = given ?? 'utf-8';
    if (given !== null) this.#decoder = new TextDecoder(given);
  }

  /** The encoding chosen by the user. `null`: detected. */
  get given(): TextEncoding | null {
    return this.#given;
  }

  /** The given or detected encoding. It can change from UTF-8 to Windows-1252 while all bytes so far are ASCII. */
  get encoding(): TextEncoding {
    return this.#encoding;
  }

  /** Whether UTF-8 text had bytes that are not UTF-8. They are decoded as U+FFFD. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Decodes the next bytes. Throws a `FaultError` if the text is in UTF-32, which no browser decodes. */
  decode(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true });
    const all = joined(this.#rest, bytes);
    if (!this.#hasBegun && all.length < SAMPLE) {
      this.#rest = all;
      return '';
    }
    return this.#next(all);
  }

  /** Decodes what is left after the last bytes. */
  finish(): string {
    if (this.#decoder) return this.#decoder.decode();
    const text = this.#next(this.#rest);
    // An incomplete character at the end: the file is cut off, or it is Windows-1252.
    const end = this.#rest;
    this.#rest = new Uint8Array();
    return text + (end.length > 0 ? this.#utf8(end) : '') + this.#flush();
  }

  /** `#next` may have created the decoder. */
  #flush(): string {
    return this.#decoder?.decode() ?? '';
  }

  #next(bytes: Uint8Array): string {
    this.#rest = new Uint8Array();
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#encoding = encodingOf(bytes.subarray(0, 64 * SAMPLE));
      if (this.#encoding !== 'utf-8') return this.#switch(this.#encoding, bytes);
      if (hasMark(bytes, 0xef, 0xbb, 0xbf)) {
        this.#isAscii = false;
        return this.#next(bytes.subarray(3));
      }
    }
    const end = bytes.length - incompleteLength(bytes);
    this.#rest = bytes.slice(end);
    return this.#utf8(bytes.subarray(0, end));
  }

  /** Decodes whole characters of UTF-8. If they are not UTF-8, switches to Windows-1252, or notes the damage. */
  #utf8(bytes: Uint8Array): string {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      if (text.length < bytes.length) this.#isAscii = false;
      return text;
    } catch {
      const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const first = lossy.search(/[^\0-\x7f]/);
      if (this.#isAscii && lossy.charAt(first) === '\ufffd') {
        return this.#switch('windows-1252', joined(bytes, this.#rest));
      }
      this.#isDamaged = true;
      return lossy;
    }
  }

  #switch(encoding: TextEncoding, bytes: Uint8Array): string {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding);
    this.#rest = new Uint8Array();
    return this.#decoder.decode(bytes, { stream: true });
  }
}

/** Decodes a whole text whose encoding is detected. Throws a `FaultError` for UTF-32. */
export function textOf(bytes: Uint8Array): string {
  const reader = new TextReader();
  return reader.decode(bytes) + reader.finish();
}

/** The encoding that the beginning of a text indicates. Windows-1252 is not recognized here. */
function encodingOf(bytes: Uint8Array): TextEncoding {
  if (hasMark(bytes, 0xff, 0xfe, 0, 0) || hasMark(bytes, 0, 0, 0xfe, 0xff)) throw utf32();
  if (hasMark(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (hasMark(bytes, 0xfe, 0xff)) return 'utf-16be';
  let even = 0;
  let odd = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  // In UTF-32, the characters of ASCII have three zero bytes of four. A file with more zeros has no text.
  const zeros = (even + odd) / bytes.length;
  if (zeros > 0.6 && zeros < 0.8) throw utf32();
  // In UTF-16, the characters of ASCII have a zero byte, always on the same side. A stray zero byte is not enough.
  const most = Math.max(even, odd);
  if (most < 2 || most < bytes.length / 100 || Math.min(even, odd) > most / 10) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function utf32(): FaultError {
  return new FaultError(
    fault(
      'bad-request',
      'This file is in the encoding UTF-32, which Podium doesn’t read. Save it as UTF-8, then try again.',
    ),
  );
}

function hasMark(bytes: Uint8Array, ...mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** Length of an incomplete UTF-8 character at the end. 0: the last character is complete, or no UTF-8. */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
