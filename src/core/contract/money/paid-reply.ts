/** @file Reads the reply to a paid call that belongs to no step: a worker test, or a question to a judge. */
import { accountFor } from './account';
import type { PaidCall } from './paid-call';
import type { Fault } from '../fault';
import type { Message, Usage } from '../model/message';
import type { PoolWorker, WorkerEvent } from '../worker/worker';

/** The question and its recipient. */
interface PaidQuestion {
  readonly worker: PoolWorker;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
}

export interface PaidReply {
  readonly output: string;
  readonly reasoning: string;
  readonly usage: Usage | null;
  /** Why the call failed. `null`: it did not fail. */
  readonly fault: Fault | null;
}

/**
 * Passes the call to the client, reads all its events, and records its cost. Rejects only if reading the events fails.
 * @returns `null` if the stream ended before the reply was complete, so the call must be abandoned
 */
export async function readPaidReply(
  paid: PaidCall,
  events: AsyncIterable<WorkerEvent>,
  { worker, messages, maxTokens }: PaidQuestion,
): Promise<PaidReply | null> {
  let output = '';
  let reasoning = '';
  paid.handOver();
  for await (const event of events) {
    if (event.type === 'waiting') {
      await paid.wait({ for: event.for, delay: event.delay });
      continue;
    }
    if (event.type !== 'failed') paid.confirmSent();
    if (event.type === 'delta') {
      if (event.channel === 'content') output += event.text;
      else reasoning += event.text;
      continue;
    }
    const fault = event.type === 'failed' ? event.fault : null;
    await paid.settle(accountFor({ worker, messages, output, reasoning, maxTokens, reported: event, fault }));
    return { output, reasoning, usage: event.usage, fault };
  }
  return null;
}
