/** @file Carries out one task of a Web Worker, or of a thread of Node, that decodes a table: opening it, or reading its rows. */
import { fault, FaultError } from '../../../core/contract';
import { serveCalls, type ServePort } from '../../serve-calls';
import { WorkerLink } from '../../worker-link';
import type { ByteSource } from '../byte-source';
import { readHead, readTable } from '../open-table';
import { readBytes, readOrder, type ByteRequest, type TableOrder, type TableReport } from './messages';

/** Carries out the tasks that arrive at the port. */
export function serveTable(port: ServePort<TableOrder>): void {
  serveCalls<TableOrder, TableReport>(
    port,
    async ({ task, bytes }, { signal, report, caughtUp }) => {
      const source = remoteSource(task.name, task.size, bytes);
      const options = { ...task, onProgress: () => report({ type: 'progress' }) };
      if (task.type === 'open') {
        return report({ type: 'opened', head: await readHead(source, task.format, options, signal) });
      }
      for await (const part of readTable(source, task.format, options, signal)) {
        report({ type: 'part', part });
        // While the page uses a part, the next one is decoded.
        await caughtUp();
      }
    },
    readOrder,
  );
}

/** The file, whose bytes the page reads. */
function remoteSource(name: string, size: number, port: MessagePort): ByteSource {
  const page = new WorkerLink<ByteRequest, ArrayBuffer>({
    // The page closes the port when it ends the whole Web Worker.
    start: () => Object.assign(port, { terminate: () => undefined, onerror: null }),
    read: readBytes,
    errorOf: () => new FaultError(fault('internal', `A part of ${name} is missing. Try again.`)),
    keep: Infinity,
  });
  return {
    name,
    size,
    slice: (start, end, signal) => page.ask({ type: 'slice', start, end }, signal),
    stream: (signal) => {
      const stop = new AbortController();
      const chunks = page.call({ type: 'stream' }, AbortSignal.any([signal, stop.signal]));
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: async (controller) => {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(new Uint8Array(value));
        },
        cancel: () => stop.abort(),
      });
    },
  };
}
