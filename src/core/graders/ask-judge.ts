/** @file Uses a worker as a judge. Retries a call that fails before any text arrives, if the fault may be temporary. */
import {
  abortError,
  fault,
  FaultError,
  isFree,
  isHeldBack,
  mixSeed,
  PaidCall,
  readPaidReply,
  samplingOf,
  worstCost,
  worstInput,
  type CallDay,
  type Clock,
  type Message,
  type PaidReply,
  type PoolWorker,
  type Sampling,
  type WorkerClient,
} from '../contract';
import { finalFault, retryDelay } from '../contract/worker/retry';
import type { Judge, JudgeRoom } from './judge';

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
  return {
    name: options.worker.name,
    async ask(messages, signal, room) {
      const failures = { rateLimited: 0, other: 0 };
      for (let attempt = 0; ; attempt++) {
        const { output, reasoning, fault: found } = await askOnce(options, { messages, attempt, room }, signal);
        if (!found) return output;
        const made = isHeldBack(found) ? ++failures.rateLimited : ++failures.other;
        const hasText = output !== '' || reasoning !== '';
        const seed = mixSeed(messages.at(-1)?.content ?? '', attempt);
        const delay = hasText ? null : retryDelay(found, made, seed);
        if (delay === null) throw new FaultError(finalFault(found));
        await options.clock.sleep(delay, signal);
      }
    },
  };
}

interface Question {
  readonly messages: readonly Message[];
  /** Number of the attempt, counted from 0. */
  readonly attempt: number;
  readonly room: JudgeRoom | undefined;
}

/**
 * Makes one paid call. If the client reports a failure, the returned reply contains the fault. Rejects with a `FaultError` if
 * the budget forbids the call, or if the connection closes before the reply is complete. Rejects with an `AbortError` on abort.
 */
async function askOnce(
  { worker, client, day: ledger }: JudgeOptions,
  { messages, attempt, room }: Question,
  signal: AbortSignal,
): Promise<PaidReply> {
  const sampling = judgeSampling(worker);
  const caps = (await room?.(worstCost(worker, worstInput(messages), sampling.maxTokens))) ?? null;
  const day =
    ledger && !isFree(worker) ? { ledger, charged: worker, messages, maxTokens: sampling.maxTokens, key: null } : null;
  const paid = new PaidCall({ caps, day, record: () => undefined });
  try {
    const reserved = paid.reserve();
    if (reserved.type !== 'reserved') throw new FaultError(reserved.type === 'wait' ? NO_ROOM : reserved.fault);
    const held = await paid.hold(signal);
    if (held.type === 'refused') throw new FaultError(held.fault);
    if (held.type === 'gone') throw abortError();
    await caps?.announce?.();
    if (signal.aborted) throw abortError();
    const maxTokens = paid.outputLimit ?? sampling.maxTokens;
    const events = client.run(messages, { ...sampling, maxTokens, worker, attempt, seed: 0 }, signal);
    const reply = await readPaidReply(paid, events, { worker, messages, maxTokens });
    if (!reply) throw signal.aborted ? abortError() : new FaultError(CUT_OFF);
    return reply;
  } finally {
    await paid.abandon();
  }
}
