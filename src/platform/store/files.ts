/**
 * @file Files as streams of lines, in and out, gzipped or not. Memory holds a piece of them at a time.
 */
import { readLines } from './lines';

/** How much text is gathered before it is passed on, in UTF-16 units. */
const PIECE = 64 * 1024;

/** Reads of a file: its lines, and how far they have come. */
export interface FileLines {
  /** Throws a `BrokenFile` where the file cannot be read on; aborts throw. */
  readonly lines: AsyncIterable<string | null>;
  /** Bytes of the file that have been read, as it lies on disk. */
  readonly read: number;
  readonly of: number;
}

/** The file cannot be read on: cut off, or damaged where a compressed one allows no more. */
export class BrokenFile extends Error {
  constructor() {
    super('The file is cut off or damaged.');
    this.name = 'BrokenFile';
  }
}

/** @param file gzipped or plain; told by its first bytes */
export function fileLines(file: Blob, signal: AbortSignal): FileLines {
  let read = 0;
  async function* lines() {
    signal.throwIfAborted();
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        read += piece.byteLength;
        controller.enqueue(piece);
      },
    });
    const counted = file.stream().pipeThrough(counter);
    const plain = (await isGzipped(file)) ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
    try {
      for await (const line of readLines(plain)) {
        signal.throwIfAborted();
        yield line;
      }
    } catch {
      signal.throwIfAborted();
      // Only the stream throws here; what it says differs from browser to browser and helps nobody.
      throw new BrokenFile();
    }
  }
  return {
    lines: lines(),
    get read() {
      return read;
    },
    of: file.size,
  };
}

async function isGzipped(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/** Lines, each with its line break, as a stream of bytes. The lines are asked for as the stream is read; cancelling it ends them. */
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
