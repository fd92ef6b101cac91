/** @file Reads the reply to a paid call outside a workflow: a worker test, or a call to a judge. */
import { accountFor, type Account } from './account';
import type { PaidCall } from './paid-call';
import type { Fault } from '../fault';
import type { FinishReason, Message, Usage } from '../model/message';
import { withDelta, type ChannelTexts } from '../model/channel-text';
import type { PoolWorker, WorkerEvent } from '../worker/worker';

/** The parts of a call that determine its cost. */
interface PaidQuestion {
  readonly worker: PoolWorker;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
}

export interface PaidReply {
  readonly output: string;
  readonly reasoning: string;
  readonly usage: Usage | null;
  /** What the call cost, as it was recorded. */
  readonly account: Account;
  /** Why the model stopped. `null` if the call failed, too. */
  readonly finishReason: FinishReason;
  /** Why the call failed. `null`: the call succeeded. */
  readonly fault: Fault | null;
}

/**
 * Marks the call as handed over, reads all its events, and records its cost. Rejects only if reading the events fails.
 * @returns `null` if the stream ended before the reply was complete. The caller must then abandon the call
 */
export async function readPaidReply(
  paid: PaidCall,
  events: AsyncIterable<WorkerEvent>,
  { worker, messages, maxTokens }: PaidQuestion,
): Promise<PaidReply | null> {
  let texts: ChannelTexts = { content: '', reasoning: '' };
  paid.handOver();
  for await (const event of events) {
    if (event.type === 'waiting') {
      await paid.wait({ for: event.for, delay: event.delay });
      continue;
    }
    if (event.type !== 'failed') paid.confirmSent();
    if (event.type === 'delta') {
      texts = withDelta(texts, event);
      continue;
    }
    const fault = event.type === 'failed' ? event.fault : null;
    const { content: output, reasoning } = texts;
    const account = accountFor({ worker, messages, output, reasoning, maxTokens, reported: event, fault });
    await paid.settle(account);
    const finishReason = event.type === 'finished' ? event.finishReason : null;
    return { output, reasoning, usage: event.usage, account, finishReason, fault };
  }
  return null;
}
