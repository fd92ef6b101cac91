/**
 * @file The Web Worker that trains and compares policies, so that the page stays responsive. Each Web
 * Worker handles one message. To stop the work, the page terminates the Web Worker. Only this Web Worker
 * loads the training framework.
 */
import { fault, toFault } from '../../core/contract';
import { readOrder, type Order, type TrainingReport } from '../../core/training/orders';
import { compareHeldOut, train } from '../../core/training/session';

function post(report: TrainingReport): void {
  self.postMessage(report);
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => void execute(data));

async function execute(data: unknown): Promise<void> {
  try {
    for await (const report of reportsOf(readOrder(data), new AbortController().signal)) post(report);
  } catch (thrown) {
    post({ type: 'failed', fault: thrown instanceof RangeError ? divergedFault(thrown.message) : toFault(thrown) });
  }
}

function reportsOf(order: Order, signal: AbortSignal): AsyncIterable<TrainingReport> {
  switch (order.kind) {
    case 'train':
      return train(order, signal);
    case 'compare':
      return compareHeldOut(order, signal);
    default:
      return order satisfies never;
  }
}

/** The fault of a training run whose numbers became infinite or NaN. */
function divergedFault(detail: string) {
  const message =
    'Training diverged and was stopped. The policies saved so far stay in the list. Start again with another seed.';
  return fault('internal', message, { detail: detail.slice(0, 500) });
}
