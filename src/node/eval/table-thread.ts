/** @file Runs a worker thread that decodes a table, with the interface of a Web Worker. */
import { Worker } from 'node:worker_threads';
import type { ReportingWorker } from '../../platform/worker-reports';

interface ThreadEvent {
  readonly data: unknown;
  readonly message: string;
  preventDefault(): void;
}

export class TableThread implements ReportingWorker {
  readonly #thread: Worker;

  /** @param script path of the built `table-worker.ts` */
  constructor(script: string) {
    // The thread needs no environment variables, which may contain API keys.
    this.#thread = new Worker(script, { argv: [], env: {}, execArgv: [] });
  }

  postMessage(message: unknown, { transfer = [] }: { transfer?: ArrayBuffer[] } = {}): void {
    this.#thread.postMessage(message, transfer);
  }

  terminate(): void {
    void this.#thread.terminate();
  }

  addEventListener(type: 'message', listener: (event: Pick<ThreadEvent, 'data'>) => void): void;
  addEventListener(type: 'error', listener: (event: Pick<ThreadEvent, 'message' | 'preventDefault'>) => void): void;
  addEventListener(type: 'message' | 'error', listener: (event: ThreadEvent) => void): void {
    const send = (event: Partial<ThreadEvent>) =>
      listener({ data: null, message: '', preventDefault: () => undefined, ...event });
    if (type === 'message') this.#thread.on('message', (data: unknown) => send({ data }));
    else this.#thread.on('error', (thrown: unknown) => send({ message: String(thrown) }));
  }
}
