/**
 * @file Asks a worker one question outside a workflow. The call is paid like every other. A call that fails before any text
 * arrives is retried if the fault may be temporary. Not part of the contract's index, because only judges and measurements
 * need it.
 */
import type { Clock } from '../clock';
import { abortError, FaultError, type Fault } from '../fault';
import type { Message, Sampling } from '../model/message';
import { mixSeed } from '../random';
import { isHeldBack } from '../run/fold-steps';
import { retryDelay } from '../worker/retry';
import type { PoolWorker, WorkerClient } from '../worker/worker';
import { isFree, worstCost } from './account';
import { worstInput } from './estimate';
import { PaidCall, type CallCaps, type CallDay } from './paid-call';
import { readPaidReply, type PaidReply } from './paid-reply';

/**
 * Waits until a budget has room for a call. Rejects with a `FaultError` if the budget will never have room.
 * @param usd the maximum cost of the call in US dollars. `null`: unknown
 * @returns the caps of the call. When the call is settled, they record its actual cost
 */
export type AskRoom = (usd: number | null) => Promise<AskCaps>;

/** The caps of one call. */
export interface AskCaps extends CallCaps {
  /** Records that the call is about to be sent. Rejects with a `FaultError` if the record can't be stored. */
  announce?(): Promise<void>;
}

export interface AskedWorker {
  readonly worker: PoolWorker;
  readonly client: WorkerClient;
  /** The ledger of the daily budget. `null`: no daily budget applies. */
  readonly day: CallDay | null;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The fault if calls in progress have reserved too much of the budget. */
  readonly noRoom: Fault;
  /** The fault if the connection closes before the reply is complete. */
  readonly cutOff: Fault;
}

export interface AskedQuestion {
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
  readonly seed: number;
  readonly room: AskRoom | undefined;
}

/**
 * Returns the last reply. If it has a fault, retrying is useless. Rejects with a `FaultError` if a budget forbids the call, or if
 * the connection closes before the reply is complete. Rejects with an `AbortError` on abort.
 */
export async function askWorker(asked: AskedWorker, question: AskedQuestion, signal: AbortSignal): Promise<PaidReply> {
  const failures = { rateLimited: 0, other: 0 };
  for (let attempt = 0; ; attempt++) {
    const reply = await askOnce(asked, question, attempt, signal);
    const { output, reasoning, fault: found } = reply;
    if (!found) return reply;
    const made = isHeldBack(found) ? ++failures.rateLimited : ++failures.other;
    const hasText = output !== '' || reasoning !== '';
    const seed = mixSeed(question.messages.at(-1)?.content ?? '', attempt);
    const delay = hasText ? null : retryDelay(found, made, seed);
    if (delay === null) return reply;
    await asked.clock.sleep(delay, signal);
  }
}

/** Makes one paid call. If the client reports a failure, the returned reply contains the fault. */
async function askOnce(
  { worker, client, day: ledger, noRoom, cutOff }: AskedWorker,
  { messages, sampling, seed, room }: AskedQuestion,
  attempt: number,
  signal: AbortSignal,
): Promise<PaidReply> {
  const caps = (await room?.(worstCost(worker, worstInput(messages), sampling.maxTokens))) ?? null;
  const day =
    ledger && !isFree(worker) ? { ledger, charged: worker, messages, maxTokens: sampling.maxTokens, key: null } : null;
  const paid = new PaidCall({ caps, day, record: () => undefined });
  try {
    const reserved = paid.reserve();
    if (reserved.type !== 'reserved') throw new FaultError(reserved.type === 'wait' ? noRoom : reserved.fault);
    const held = await paid.hold(signal);
    if (held.type === 'refused') throw new FaultError(held.fault);
    if (held.type === 'gone') throw abortError();
    await caps?.announce?.();
    if (signal.aborted) throw abortError();
    const maxTokens = paid.outputLimit ?? sampling.maxTokens;
    const events = client.run(messages, { ...sampling, maxTokens, worker, attempt, seed }, signal);
    const reply = await readPaidReply(paid, events, { worker, messages, maxTokens });
    if (!reply) throw signal.aborted ? abortError() : new FaultError(cutOff);
    return reply;
  } finally {
    await paid.abandon();
  }
}
