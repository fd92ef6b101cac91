/** @file Answers the requests of a Web Worker for the bytes of a file. */
import { serveCalls } from '../../serve-calls';
import type { ByteSource } from '../byte-source';
import { readByteRequest, type ByteRequest } from './messages';

/** The Web Worker gets at least this many bytes of a stream at a time, because each message takes time. */
const CHUNK = 256 * 1024;

/** What the page has read for the Web Worker. */
export interface ByteReadings {
  /** Number of reads in progress. While there are any, the Web Worker may be waiting for bytes. */
  pending: number;
  done: number;
}

/**
 * Answers the requests that arrive at the port.
 * @param over aborts when the Web Worker has ended
 */
export function serveBytes(source: ByteSource, port: MessagePort, over: AbortSignal): ByteReadings {
  const readings: ByteReadings = { pending: 0, done: 0 };
  async function counted<Bytes>(reading: Promise<Bytes>): Promise<Bytes> {
    readings.pending += 1;
    try {
      return await reading;
    } finally {
      readings.pending -= 1;
      readings.done += 1;
    }
  }
  serveCalls<ByteRequest, ArrayBuffer>(
    port,
    async (request, { signal, report, caughtUp }) => {
      const stop = AbortSignal.any([signal, over]);
      if (request.type === 'slice') {
        const bytes = await counted(source.slice(request.start, request.end, stop));
        return report(bytes, [bytes]);
      }
      const stream = source.stream(stop).getReader();
      stop.addEventListener('abort', () => void stream.cancel().catch(() => undefined));
      for (;;) {
        const bytes = await counted(nextChunk(stream));
        if (!bytes) return;
        report(bytes, [bytes]);
        await caughtUp();
      }
    },
    readByteRequest,
  );
  return readings;
}

/** The next bytes of a stream. `null`: the stream has ended. */
async function nextChunk(stream: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length < CHUNK) {
    const { value } = await stream.read();
    if (!value) break;
    chunks.push(value);
    length += value.length;
  }
  return length === 0 ? null : new Blob(chunks).arrayBuffer();
}
