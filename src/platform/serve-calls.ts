/** @file The Web Worker's side of the protocol of calls. `worker-link.ts` describes the protocol. */
import { isAbort, toFault } from '../core/contract/fault';
import type { CallMessage, Reply } from './worker-link';

/** Maximum number of unused reports with which the caller counts as caught up. */
const AHEAD = 1;

/** A Web Worker's global scope, the port of a thread of Node, or one end of a `MessageChannel`. */
export interface ServePort<Order> {
  postMessage(message: Reply, options?: { transfer?: ArrayBuffer[] }): void;
  onmessage: ((event: MessageEvent<CallMessage<Order>>) => void) | null;
}

/** A call that is carried out. */
export interface ServedCall<Report> {
  /** Aborts when the caller has stopped the call. */
  readonly signal: AbortSignal;
  readonly report: (report: Report, transfer?: ArrayBuffer[]) => void;
  /** Resolves once the caller has used most of the reports, or has stopped the call. */
  readonly caughtUp: () => Promise<void>;
}

interface Running {
  readonly stop: AbortController;
  /** Number of reports that the caller has not used. */
  unused: number;
  readonly waiting: (() => void)[];
}

/**
 * Carries out the calls that arrive at a port, concurrently.
 * @param carryOut may return a value, which becomes the last report. An error becomes a fault, as `toFault` does it
 * @param read parses an order, and throws if it is invalid. Default: trusts the page, which is a part of the same build
 */
export function serveCalls<Order, Report>(
  port: ServePort<Order>,
  carryOut: (order: Order, call: ServedCall<Report>) => Report | void | Promise<Report | void>,
  read: (data: Order) => Order = (order) => order,
): void {
  const running = new Map<number, Running>();
  const post = (reply: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, { transfer });
  const wake = (call: Running | undefined) => call?.waiting.splice(0).forEach((resume) => resume());

  async function run(id: number, data: Order): Promise<void> {
    const call: Running = { stop: new AbortController(), unused: 0, waiting: [] };
    const { signal } = call.stop;
    running.set(id, call);
    const report = (report: Report, transfer?: ArrayBuffer[]) => {
      post({ type: 'report', id, report }, transfer);
      call.unused += 1;
    };
    const caughtUp = async () => {
      while (call.unused > AHEAD && !signal.aborted) {
        await new Promise<void>((resume) => call.waiting.push(resume));
      }
    };
    try {
      const last = await carryOut(read(data), { signal, report, caughtUp });
      if (last !== undefined) post({ type: 'report', id, report: last });
      post({ type: 'ended', id });
    } catch (thrown) {
      post(
        signal.aborted && isAbort(thrown) ? { type: 'stopped', id } : { type: 'failed', id, fault: toFault(thrown) },
      );
    }
    running.delete(id);
  }

  port.onmessage = ({ data }) => {
    const call = running.get(data.id);
    switch (data.type) {
      case 'call':
        return void run(data.id, data.order);
      case 'used':
        if (call) call.unused -= 1;
        return wake(call);
      case 'stop':
        call?.stop.abort();
        return wake(call);
      default:
        data satisfies never;
        throw new TypeError('The Web Worker received an unknown message.');
    }
  };
  post({ type: 'ready' });
}
