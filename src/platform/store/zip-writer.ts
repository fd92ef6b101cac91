/**
 * @file Writes a ZIP archive piece by piece, so that no file of the archive has to be in memory. The files are not compressed. The
 * size of a file follows its content, so it need not be known when the file begins.
 */
import { fault, FaultError } from '../../core/contract';

type Bytes = Uint8Array<ArrayBuffer>;

interface Entry {
  readonly name: Bytes;
  /** Place of the entry in the archive, in bytes. */
  readonly at: number;
  readonly crc: number;
  readonly size: number;
}

/** The first bytes of each part of an archive. */
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** The size follows the content (bit 3), and the name is UTF-8 (bit 11). */
const FLAGS = 0x0808;
/** 1980-01-01, the first date that the format knows. */
const DATE = 0x21;
/** Larger archives need an extension of the format. */
const MOST_BYTES = 0xffff_ffff;
const MOST_FILES = 0xffff;

export class ZipWriter {
  readonly #entries: Entry[] = [];
  #open: { readonly name: Bytes; readonly at: number; crc: number; size: number } | null = null;
  #written = 0;

  /** Begins a file. Call `end` before the next file begins. */
  begin(path: string): Bytes {
    const name = new TextEncoder().encode(path);
    this.#open = { name, at: this.#written, crc: 0xffff_ffff, size: 0 };
    const header = fields([LOCAL, 4], [VERSION, 2], [FLAGS, 2], [0, 2], [0, 2], [DATE, 2]);
    // The checksum and the sizes follow the content.
    return this.#count(joined(header, fields([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]), name));
  }

  /** Adds a piece of the file's content. @returns the piece */
  add(piece: Bytes): Bytes {
    if (this.#open) {
      this.#open.crc = crcOf(piece, this.#open.crc);
      this.#open.size += piece.length;
    }
    return this.#count(piece);
  }

  /** Ends the file. */
  end(): Bytes {
    if (!this.#open) return new Uint8Array();
    const { name, at, crc, size } = this.#open;
    const entry = { name, at, crc: ~crc >>> 0, size };
    this.#entries.push(entry);
    this.#open = null;
    return this.#count(fields([DESCRIPTOR, 4], [entry.crc, 4], [size, 4], [size, 4]));
  }

  /** The directory, which ends the archive. Throws a `FaultError` (`too-large`) if the archive is too large for the format. */
  finish(): Bytes {
    const start = this.#written;
    const directory = this.#entries.map(({ name, at, crc, size }) =>
      joined(
        fields([CENTRAL, 4], [VERSION, 2], [VERSION, 2], [FLAGS, 2], [0, 2], [0, 2], [DATE, 2], [crc, 4]),
        fields([size, 4], [size, 4], [name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
        name,
      ),
    );
    const bytes = joined(...directory);
    const files = this.#entries.length;
    if (start + bytes.length > MOST_BYTES || files > MOST_FILES) throw new FaultError(TOO_LARGE);
    return joined(
      bytes,
      fields([END, 4], [0, 2], [0, 2], [files, 2], [files, 2], [bytes.length, 4], [start, 4], [0, 2]),
    );
  }

  #count(bytes: Bytes): Bytes {
    this.#written += bytes.length;
    return bytes;
  }
}

const TOO_LARGE = fault('too-large', 'The archive would be larger than 4 GB. Export fewer runs.');

/** Numbers as bytes, the lowest byte first. @param given pairs of a number and its size in bytes */
function fields(...given: readonly (readonly [value: number, size: number])[]): Bytes {
  return new Uint8Array(
    given.flatMap(([value, size]) => Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 0xff)),
  );
}

function joined(...parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});

/** Continues the checksum CRC-32. */
function crcOf(bytes: Bytes, before: number): number {
  let crc = before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}
