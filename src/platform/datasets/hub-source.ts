/** @file Reads a file on the Hugging Face hub in byte ranges. A broken stream resumes where it stopped. */
import { fault, FaultError, type HubFile } from '../../core/contract';
import type { ByteSource } from './byte-source';
import { fileUrl, type DatasetAddress } from './hub-address';
import { brokenReply, unreachable } from './hub-faults';
import type { HubClient, HubRequest } from './hub-request';

/** Maximum number of consecutive retries. In a stream, each received chunk resets the count. */
const MOST_CUTS = 3;

/** Throws a `FaultError` if the size of the file is unknown. @param patience as in `HubClient.send` */
export function hubSource(
  client: HubClient,
  address: DatasetAddress,
  commit: string,
  { path, bytes: size }: HubFile,
  patience: number,
): ByteSource {
  if (size === null) throw new FaultError(fault('bad-request', unknownSize(path)));
  const request = (start: number, end: number): HubRequest => ({
    url: fileUrl(address, commit, path, client.host),
    address,
    file: path,
    range: { start, end },
  });
  const open = async (start: number, end: number, signal: AbortSignal) => {
    const response = await client.send(request(start, end), patience, signal);
    const isWhole = start === 0 && end === size;
    if (response.status !== 206 && !isWhole) {
      await response.body?.cancel();
      throw brokenReply('it is the whole file instead of a part.');
    }
    return response;
  };

  return {
    name: path,
    size,
    async slice(start, end, signal) {
      if (start >= end) return new ArrayBuffer(0);
      for (let cuts = 0; ; cuts++) {
        const response = await open(start, end, signal);
        try {
          const bytes = await response.arrayBuffer();
          if (bytes.byteLength === end - start) return bytes;
          throw brokenReply('a part of the file is incomplete.');
        } catch (thrown) {
          signal.throwIfAborted();
          if (cuts >= MOST_CUTS) throw thrown;
        }
      }
    },
    stream: (signal) => resumingStream(size, open, signal),
  };
}

function unknownSize(path: string): string {
  return `The hub doesn’t report the size of ${path}. Download the file, then import it from here.`;
}

type Open = (start: number, end: number, signal: AbortSignal) => Promise<Response>;

function resumingStream(size: number, open: Open, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null = null;
  let read = 0;
  let cuts = 0;
  /** The next chunk. `null`: the response has ended, or the connection broke. */
  const next = async () => {
    reader ??= (await open(read, size, signal)).body?.getReader() ?? null;
    if (!reader) return null;
    try {
      const { value } = await reader.read();
      return value ?? null;
    } catch (thrown) {
      signal.throwIfAborted();
      if (cuts >= MOST_CUTS) throw unreachable(thrown);
      return null;
    }
  };
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          if (read >= size) return controller.close();
          const chunk = await next();
          if (chunk) {
            cuts = 0;
            read += chunk.length;
            return controller.enqueue(chunk);
          }
          reader = null;
          cuts += 1;
          if (cuts > MOST_CUTS) throw brokenReply('the file ends too early.');
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
