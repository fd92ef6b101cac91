/**
 * @file The Web Worker that trains and compares policies, so that the page stays responsive. Each Web
 * Worker handles one message. To stop the work, the page terminates the Web Worker. Only this Web Worker
 * loads the training framework.
 */
import { fault, FaultError } from '../../core/contract';
import { readOrder, type Order, type TrainingReport } from '../../core/training/orders';
import { compareHeldOut, train } from '../../core/training/session';
import { serveCalls } from '../../platform/serve-calls';

serveCalls<Order, TrainingReport>(
  self,
  async (order, { signal, report }) => {
    try {
      for await (const each of reportsOf(order, signal)) report(each);
    } catch (thrown) {
      throw thrown instanceof RangeError ? new FaultError(divergedFault(thrown.message)) : thrown;
    }
  },
  readOrder,
);

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
