/** @file Runs a worker thread that decodes a table, with the interface of a Web Worker. */
import { Worker, type Transferable } from 'node:worker_threads';
import type { LinkedWorker } from '../../platform/worker-link';

export class TableThread implements LinkedWorker {
  onmessage: LinkedWorker['onmessage'] = null;
  onmessageerror: LinkedWorker['onmessageerror'] = null;
  onerror: LinkedWorker['onerror'] = null;
  readonly #thread: Worker;

  /** @param script path of the built `table-worker.ts` */
  constructor(script: string) {
    // The thread needs no environment variables, which may contain API keys.
    this.#thread = new Worker(script, { argv: [], env: {}, execArgv: [] });
    this.#thread.on('message', (data: unknown) => this.onmessage?.(new MessageEvent('message', { data })));
    this.#thread.on('messageerror', () => this.onmessageerror?.(new MessageEvent('messageerror')));
    this.#thread.on('error', (error: unknown) => {
      const place = { filename: '', lineno: 0, colno: 0 };
      this.onerror?.(Object.assign(new Event('error'), { message: String(error), error, ...place }));
    });
  }

  postMessage(message: unknown, { transfer = [] }: { transfer?: (ArrayBuffer | MessagePort)[] } = {}): void {
    // A global `MessagePort` of Node is one of `node:worker_threads`.
    this.#thread.postMessage(message, transfer as Transferable[]);
  }

  terminate(): void {
    void this.#thread.terminate();
  }
}
