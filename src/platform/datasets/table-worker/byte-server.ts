/** @file Answers the requests of a Web Worker for the bytes of a file. */
import { toFault } from '../../../core/contract';
import type { ReportingWorker } from '../../worker-reports';
import type { ByteSource } from '../byte-source';
import type { ByteRequest, TableOrder, TableReport } from './messages';

/** The Web Worker gets at least this many bytes of a stream at a time, because each message takes time. */
const CHUNK = 256 * 1024;

export class ByteServer {
  readonly #source: ByteSource;
  readonly #signal: AbortSignal;
  readonly #streams = new Map<number, ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>>();
  #pending = 0;

  /** @param signal aborts when the Web Worker has ended */
  constructor(source: ByteSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const stream of this.#streams.keys()) this.#cancel(stream);
    });
  }

  /** Whether the Web Worker may be waiting for bytes. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  /** Answers a report if it is a request for bytes. */
  receive(report: TableReport, worker: Pick<ReportingWorker, 'postMessage'>): void {
    if (report.type === 'cancel') this.#cancel(report.stream);
    else if (report.type === 'slice' || report.type === 'chunk') void this.#answer(report, worker);
  }

  async #answer(request: ByteRequest, worker: Pick<ReportingWorker, 'postMessage'>): Promise<void> {
    const { id } = request;
    this.#pending += 1;
    const answer = await this.#bytes(request).then(
      (bytes): TableOrder => ({ type: 'bytes', id, bytes }),
      (thrown: unknown): TableOrder => ({ type: 'no-bytes', id, fault: toFault(thrown) }),
    );
    this.#pending -= 1;
    if (this.#signal.aborted) return;
    worker.postMessage(answer, { transfer: answer.type === 'bytes' && answer.bytes ? [answer.bytes] : [] });
  }

  async #bytes(request: ByteRequest): Promise<ArrayBuffer | null> {
    if (request.type === 'slice') return this.#source.slice(request.start, request.end, this.#signal);
    const open = this.#streams.get(request.stream) ?? this.#source.stream(this.#signal).getReader();
    this.#streams.set(request.stream, open);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    while (length < CHUNK) {
      const { value } = await open.read();
      if (!value) break;
      chunks.push(value);
      length += value.length;
    }
    return length === 0 ? null : new Blob(chunks).arrayBuffer();
  }

  #cancel(stream: number): void {
    this.#streams
      .get(stream)
      ?.cancel()
      .catch(() => undefined);
    this.#streams.delete(stream);
  }
}
