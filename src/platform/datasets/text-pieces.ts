/** @file Reads plain and gzipped text files, and counts the bytes read. */
import { fault, FaultError } from '../../core/contract';
import type { ByteSource } from './byte-source';

export interface OpenText {
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Number of bytes read so far, before decompression. */
  readonly read: () => number;
}

/** Maximum ratio of decompressed to compressed bytes. Real text has a far lower ratio. */
const HIGHEST_RATIO = 400;
/**
 * Up to this number of decompressed bytes, the ratio is not checked, because a small valid file can
 * have a higher ratio.
 */
const RATIO_FROM = 64 * 1024 * 1024;

export function openText(source: ByteSource, signal: AbortSignal): OpenText {
  let read = 0;
  const counted = source.stream(signal).pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  );
  if (!source.name.toLowerCase().endsWith('.gz')) return { bytes: counted, read: () => read };
  let plain = 0;
  const bytes = counted.pipeThrough(new DecompressionStream('gzip')).pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        plain += chunk.length;
        if (plain > RATIO_FROM && plain > read * HIGHEST_RATIO) throw new FaultError(fault('bad-request', BOMB));
        controller.enqueue(chunk);
      },
    }),
  );
  return { bytes, read: () => read };
}

const BOMB =
  'This file has an implausible compression ratio and may be damaged, so it was not read. Choose another file.';

/**
 * Converts an error to a fault. Returns a fault unchanged. Throws the signal's reason if the signal
 * has aborted.
 */
export function brokenText(thrown: unknown, source: ByteSource, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  if (thrown instanceof FaultError) return thrown;
  const detail = String(thrown).slice(0, 500);
  return new FaultError(fault('bad-request', `${source.name} is cut off or damaged. Download it again.`, { detail }));
}
