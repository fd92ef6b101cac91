/** @file Uses a worker as a judge. */
import {
  fault,
  FaultError,
  samplingOf,
  type CallDay,
  type Clock,
  type PoolWorker,
  type Sampling,
  type WorkerClient,
} from '../contract';
import { askWorker } from '../contract/money/ask-worker';
import { finalFault } from '../contract/worker/retry';
import type { Judge } from './judge';

export interface JudgeOptions {
  readonly worker: PoolWorker;
  readonly client: WorkerClient;
  /** The ledger of the daily budget. `null`: no daily budget applies. */
  readonly day: CallDay | null;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** 8,192 output tokens are enough for a model that thinks before it judges. */
const SAMPLING: Sampling = { temperature: 0, maxTokens: 8_192 };

/** The sampling settings of a judge: the defaults for judges, overridden by the worker's own settings. */
export function judgeSampling(worker: PoolWorker): Sampling {
  return samplingOf(worker, SAMPLING);
}

const NO_ROOM = fault(
  'cap-reached',
  'Calls in progress have reserved too much of the budget. Grade again when they have ended.',
  {
    retryable: true,
  },
);
const CUT_OFF = fault('cut-off', 'The connection to the judge closed before its answer was complete. Grade again.', {
  retryable: true,
});

export function createJudge(options: JudgeOptions): Judge {
  const asked = { ...options, noRoom: NO_ROOM, cutOff: CUT_OFF };
  return {
    name: options.worker.name,
    async ask(messages, signal, room) {
      const question = { messages, sampling: judgeSampling(options.worker), seed: 0, room };
      const { output, fault: found } = await askWorker(asked, question, signal);
      if (found) throw new FaultError(finalFault(found));
      return output;
    },
  };
}
