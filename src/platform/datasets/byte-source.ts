/**
 * @file Reads the bytes of a dataset's file. `fileSource` reads a file that the user picked, and `hub-source.ts` reads a file on
 * the Hugging Face hub. Only the requested part of a file is in memory.
 */
import { fault, FaultError } from '../../core/contract';

export interface ByteSource {
  /** File name with its extension, which determines the format. */
  readonly name: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** The bytes from `start` to before `end`. */
  slice(start: number, end: number, signal: AbortSignal): Promise<ArrayBuffer>;
  /** All bytes, read as the stream is consumed. */
  stream(signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A file that the user picked. */
export function fileSource(file: File): ByteSource {
  return {
    name: file.name,
    size: file.size,
    slice: (start, end) => file.slice(start, end).arrayBuffer().catch(unreadable),
    stream: () => file.stream(),
  };
}

/** The browser refuses to read a file that was changed or deleted after the user picked it. */
function unreadable(thrown: unknown): never {
  const detail = String(thrown).slice(0, 500);
  throw new FaultError(fault('bad-request', 'The file can no longer be read. Choose it again.', { detail }));
}
