/**
 * @file The page's side of the protocol that all Web Workers use, except those of the sandbox. The page calls a Web Worker with
 * an order. The Web Worker answers with any number of reports, and then ends the call or fails it with a fault. Calls of one Web
 * Worker run concurrently. The page says when it has used a report, so that the Web Worker does not run far ahead.
 */
import * as z from 'zod/mini';
import { abortError, fault, FaultError, unlessAborted, type Fault } from '../core/contract';
import * as part from '../core/contract/storage/schema-parts';

/** A message to the Web Worker. `id` is the number of the call. */
export type CallMessage<Order> =
  | { readonly type: 'call'; readonly id: number; readonly order: Order }
  /** The page has used a report of the call. */
  | { readonly type: 'used'; readonly id: number }
  | { readonly type: 'stop'; readonly id: number };

const id = z.number();
const faultSchema: z.ZodMiniType<Fault> = part.fault;
const reply = z.discriminatedUnion('type', [
  /** The script of the Web Worker has been loaded. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('report'), id, report: z.unknown() }),
  z.object({ type: z.literal('ended'), id }),
  /** The call has ended early, because the page stopped it. */
  z.object({ type: z.literal('stopped'), id }),
  z.object({ type: z.literal('failed'), id, fault: faultSchema }),
]);
/** A message from the Web Worker. */
export type Reply = z.infer<typeof reply>;

/** Why a Web Worker can't be used any more. */
export interface WorkerFailure {
  /**
   * `not-loaded`: the Web Worker failed before its first message, so its script is probably missing. `crashed`: it failed later,
   * or sent an unreadable message.
   */
  readonly kind: 'not-loaded' | 'crashed';
  /** The error message of the browser, or a sentence about an unreadable message. May be empty. */
  readonly detail: string;
}

interface FailureMessages {
  readonly notLoaded: string;
  readonly crashed: string;
  /** Whether a retry after a crash may succeed. Default: true */
  readonly retriesCrash?: boolean;
}

/** Returns the function `errorOf` of a link, which makes faults with these messages. */
export function failingWith({ notLoaded, crashed, retriesCrash = true }: FailureMessages) {
  return ({ kind, detail }: WorkerFailure) =>
    kind === 'crashed'
      ? new FaultError(fault('internal', crashed, { retryable: retriesCrash, detail }))
      : new FaultError(fault('internal', notLoaded, { retryable: true, detail }));
}

/** The part of a Web Worker that a link uses. A thread of Node and a `MessagePort` can provide it too. */
export interface LinkedWorker {
  postMessage(message: unknown, options?: { transfer?: (ArrayBuffer | MessagePort)[] }): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onmessageerror: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface WorkerLinkOptions<Report> {
  /** Starts the Web Worker, at the first call, and at the first call after it has crashed or was terminated. */
  readonly start: () => LinkedWorker;
  /** Awaited before the script of the Web Worker is loaded. */
  readonly ready?: (() => Promise<void>) | undefined;
  /** Parses a report. Throws if it is invalid, which counts as a crash. */
  readonly read: (data: unknown) => Report;
  /** Makes the error that open calls throw when the Web Worker has failed. */
  readonly errorOf: (failure: WorkerFailure) => Error;
  /** How long the Web Worker is kept without calls, ms. Default: 0 */
  readonly keep?: number;
  /**
   * How long a stopped call may go on. Its reports are still yielded. Default: no time, and unread reports are dropped.
   * @param over aborts when the call has ended
   */
  readonly patience?: (over: AbortSignal) => Promise<void>;
}

interface Call<Report> {
  readonly unread: Report[];
  /** How the call has ended, for the page. */
  end: { readonly error: Error | null } | null;
  /** Whether the Web Worker may still work on the call. */
  isRunning: boolean;
  wake: () => void;
}

export class WorkerLink<Order, Report> {
  readonly #options: WorkerLinkOptions<Report>;
  readonly #calls = new Map<number, Call<Report>>();
  #ids = 0;
  #worker: LinkedWorker | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WorkerLinkOptions<Report>) {
    this.#options = options;
  }

  /**
   * Calls the Web Worker and yields its reports. Throws a `FaultError` if the call fails, the error from `errorOf` if the Web
   * Worker fails, and an `AbortError` if the signal aborts. All of them come after the earlier reports. If the caller leaves the
   * loop, the call is stopped. A Web Worker with no other call is then terminated, because it may not stop soon.
   */
  async *call(order: Order, signal: AbortSignal, transfer: MessagePort[] = []): AsyncGenerator<Report, void> {
    const { ready, patience } = this.#options;
    if (ready) await unlessAborted(ready(), signal);
    if (signal.aborted) throw abortError();
    const id = (this.#ids += 1);
    const call: Call<Report> = { unread: [], end: null, isRunning: true, wake: () => {} };
    const over = new AbortController();
    const onAbort = () => {
      this.#send({ type: 'stop', id });
      if (patience) {
        void patience(over.signal).then(
          () => end(call, abortError()),
          () => undefined,
        );
        return;
      }
      // Even if the Web Worker has finished, because the caller would take the reports that it has read for all of them.
      call.unread.length = 0;
      call.end = { error: abortError() };
      call.wake();
    };
    clearTimeout(this.#idle);
    this.#calls.set(id, call);
    try {
      (this.#worker ??= this.#open()).postMessage({ type: 'call', id, order } satisfies CallMessage<Order>, {
        transfer,
      });
      signal.addEventListener('abort', onAbort, { signal: over.signal });
      for (;;) {
        const report = call.unread.shift();
        if (report !== undefined) {
          yield report;
          if (!call.end) this.#send({ type: 'used', id });
        } else if (call.end) {
          if (call.end.error) throw call.end.error;
          return;
        } else {
          await new Promise<void>((resolve) => (call.wake = resolve));
        }
      }
    } finally {
      over.abort();
      this.#calls.delete(id);
      this.#leave(id, call);
    }
  }

  /** Calls the Web Worker. Resolves with the last report of the call. Rejects as `call` throws, and if there is no report. */
  async ask(order: Order, signal: AbortSignal): Promise<Report> {
    let last: Report | undefined;
    for await (const report of this.call(order, signal)) last = report;
    if (last === undefined) throw this.#options.errorOf({ kind: 'crashed', detail: 'It reported nothing.' });
    return last;
  }

  /** Terminates the Web Worker. Open calls throw the error. The next call starts another Web Worker. */
  close(because: Error = abortError()): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = null;
    for (const call of this.#calls.values()) {
      call.isRunning = false;
      end(call, because);
    }
  }

  #send(message: CallMessage<Order>): void {
    this.#worker?.postMessage(message);
  }

  #leave(id: number, call: Call<Report>): void {
    const { keep = 0 } = this.#options;
    if (call.isRunning) this.#send({ type: 'stop', id });
    if (this.#calls.size > 0) return;
    if (call.isRunning || keep === 0) this.close();
    else if (keep < Infinity) this.#idle = setTimeout(() => this.close(), keep);
  }

  #open(): LinkedWorker {
    const worker = this.#options.start();
    let isLoaded = false;
    const fail = (kind: WorkerFailure['kind'], detail: string) => {
      if (worker === this.#worker) this.close(this.#options.errorOf({ kind, detail }));
    };
    worker.onmessage = ({ data }) => {
      try {
        this.#receive(reply.parse(data));
        isLoaded = true;
      } catch {
        fail('crashed', UNREADABLE);
      }
    };
    worker.onmessageerror = () => fail('crashed', UNREADABLE);
    worker.onerror = (event) => {
      // The page handles the failure, so the browser need not log it as an uncaught error.
      event.preventDefault();
      fail(isLoaded ? 'crashed' : 'not-loaded', (event.message ?? '').slice(0, 500));
    };
    return worker;
  }

  #receive(message: Reply): void {
    if (message.type === 'ready') return;
    const call = this.#calls.get(message.id);
    if (!call) return;
    if (message.type === 'report') {
      // A stopped call may go on reporting, faster than the caller reads.
      if (call.end) return;
      call.unread.push(this.#options.read(message.report));
      call.wake();
    } else {
      call.isRunning = false;
      end(call, errorOf(message));
    }
  }
}

const UNREADABLE = 'A message could not be read.';

function errorOf(last: Extract<Reply, { type: 'ended' | 'stopped' | 'failed' }>): Error | null {
  if (last.type === 'failed') return new FaultError(last.fault);
  return last.type === 'stopped' ? abortError() : null;
}

/** Ends a call, unless it has ended. */
function end<Report>(call: Call<Report>, error: Error | null): void {
  call.end ??= { error };
  call.wake();
}
