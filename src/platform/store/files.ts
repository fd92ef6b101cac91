/**
 * @file Reads and writes files as streams of lines, gzipped or not. Only a part of a file is in memory at a time.
 */
import { FaultError } from '../../core/contract';
import { readLines } from '../read-lines';
import { FILE_LIMITS, LONGEST_LINE, refused, sizeWords, UNPACKED_AT_A_TIME, type FileLimits } from './file-limits';

/** Length of text that is collected before it is written, in UTF-16 units. */
const PIECE = 64 * 1024;

/** A file that is being read: its lines and the progress. */
export interface FileLines {
  /**
   * The lines, with `null` for each line that is skipped because it is longer than `LONGEST_LINE`. Throws a `BrokenFile` if the
   * file becomes unreadable, a `FaultError` if it exceeds a limit, and an `AbortError` on abort.
   */
  readonly lines: AsyncIterable<string | null>;
  /** Bytes of the file on disk that have been read. */
  readonly read: number;
  /** Bytes of the whole file on disk. */
  readonly of: number;
}

/** Thrown if the rest of the file cannot be read, because the file is cut off or its compressed data is damaged. */
export class BrokenFile extends Error {
  constructor() {
    super('The file is cut off or damaged.');
    this.name = 'BrokenFile';
  }
}

/**
 * Opens a file for reading.
 * @param file gzipped or plain, which is detected from the first bytes
 */
export function fileLines(file: Blob, signal: AbortSignal, limits: FileLimits = FILE_LIMITS): FileLines {
  const counted = { read: 0 };
  async function* lines() {
    signal.throwIfAborted();
    if (file.size > limits.file)
      throw refused(`This file is larger than ${sizeWords(limits.file)}.`, 'It was not read.');
    const pieces = file.stream().pipeThrough(inPieces(counted));
    const plain = (await isGzipped(file)) ? pieces.pipeThrough(new DecompressionStream('gzip')) : pieces;
    let seen = 0;
    try {
      for await (const line of readLines(plain.pipeThrough(withinLimits(counted, limits)), LONGEST_LINE)) {
        signal.throwIfAborted();
        seen += 1;
        if (seen > limits.lines) {
          throw refused(`This file has more than ${limits.lines.toLocaleString('en-US')} lines.`);
        }
        yield line;
      }
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof FaultError) throw thrown;
      // Any other error is from the stream. Its message differs between browsers and does not help the user.
      throw new BrokenFile();
    }
  }
  return {
    lines: lines(),
    get read() {
      return counted.read;
    },
    of: file.size,
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Counts the bytes that are read, and forwards them in small parts, so that limits are checked early. */
function inPieces(counted: { read: number }): TransformStream<Bytes, Bytes> {
  return new TransformStream({
    transform(piece, controller) {
      counted.read += piece.byteLength;
      for (let from = 0; from < piece.byteLength; from += UNPACKED_AT_A_TIME) {
        controller.enqueue(piece.subarray(from, from + UNPACKED_AT_A_TIME));
      }
    },
  });
}

/** Forwards decompressed bytes. Fails once they exceed a limit. */
function withinLimits(counted: { readonly read: number }, limits: FileLimits): TransformStream<Bytes, Bytes> {
  let plain = 0;
  return new TransformStream({
    transform(piece, controller) {
      plain += piece.byteLength;
      if (plain > limits.plain) {
        controller.error(refused(`This file unpacks to more than ${sizeWords(limits.plain)}.`));
      } else if (plain > limits.ratioFrom && plain > limits.ratio * counted.read) {
        const grown = `This file unpacks to more than ${limits.ratio} times its size. Podium never writes such files.`;
        controller.error(refused(grown));
      } else controller.enqueue(piece);
    },
  });
}

async function isGzipped(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/**
 * Encodes lines as a stream of bytes. Each line must end with a line break. Lines are read on demand. Cancelling the stream ends
 * the generator.
 */
export function streamLines(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      let piece = '';
      while (piece.length < PIECE) {
        const next = await lines.next();
        if (next.done) {
          if (piece !== '') controller.enqueue(encoder.encode(piece));
          controller.close();
          return;
        }
        piece += next.value;
      }
      controller.enqueue(encoder.encode(piece));
    },
    async cancel() {
      await lines.return();
    },
  });
}

export function gzip(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return stream.pipeThrough(new CompressionStream('gzip'));
}
