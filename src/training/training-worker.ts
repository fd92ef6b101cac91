/**
 * @file The Worker that trains and compares, so that the page never waits for it. It takes one order and dies with it: who
 * wants it to stop ends it. The training framework is loaded here and nowhere else.
 */
import { fault, toFault } from '../core/contract';
import { readOrder, type Order, type TrainingReport } from '../core/training/orders';
import { compareHeldOut, train } from '../core/training/session';

function tell(report: TrainingReport): void {
  self.postMessage(report);
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => void follow(data));

async function follow(data: unknown): Promise<void> {
  try {
    for await (const report of reportsOf(readOrder(data), new AbortController().signal)) tell(report);
  } catch (thrown) {
    tell({ type: 'failed', fault: thrown instanceof RangeError ? lostFault(thrown.message) : toFault(thrown) });
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

/** Of a course whose numbers have run away: another seed draws others. */
function lostFault(detail: string) {
  const message = 'The training cannot go on. What was kept is in the list. Start another, with another seed.';
  return fault('internal', message, { detail: detail.slice(0, 500) });
}
