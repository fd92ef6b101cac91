/**
 * @file Makes one call of a step. Records that the call is about to be sent, reads the answer, and computes the cost. A
 * `PaidCall` reserves the maximum cost of the call, and tracks whether the call was sent. When the call is settled, its actual
 * cost replaces the reservation.
 */
import {
  accountFor,
  fault,
  isAbort,
  NOTHING_SPENT,
  PaidCall,
  leastOutput,
  samplingOf,
  toFault,
  withDelta,
  type Account,
  type CallRoom,
  type ChannelTexts,
  type Fault,
  type FinishReason,
  type ReserveResult,
  type Sampling,
  type StepKey,
  type Usage,
  type Waiting,
  type WorkerEvent,
} from '../contract';
import type { RunContext } from './context';
import type { DeltaStream } from './delta-coalescer';
import type { PreparedCall } from './prepare-call';
import { readStream } from './read-stream';

/** How the worker's answer ended. */
export type AnswerEnd =
  | {
      readonly type: 'finished';
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly finishReason: FinishReason;
    }
  | { readonly type: 'failed'; readonly fault: Fault; readonly usage: Usage | null; readonly cost: number | null };

/** The result of a call. The call may never have been sent. */
export interface CallResult {
  readonly key: StepKey;
  readonly output: string;
  readonly reasoning: string;
  readonly account: Account;
  /** Part of the event that ends the call, if the call was never sent. */
  readonly unsent?: typeof UNSENT;
  /** Part of `step-finished` or `step-failed`, if a cap or the daily budget lowered the output limit. */
  readonly lowered?: { readonly outputLimit: number };
}

const UNSENT = { sent: false } as const;
export const NO_ANSWER = { output: '', reasoning: '', account: NOTHING_SPENT };

export interface StepCallOptions {
  readonly key: StepKey;
  readonly prepared: PreparedCall;
  /** Whether the call can be cancelled while other calls of the run continue. */
  readonly canBeCancelledAlone: boolean;
  /** Called if storage has failed when the call starts or ends a wait. Such a call is never sent. */
  readonly storageFailed: (fault: Fault) => void;
}

export class StepCall {
  readonly key: StepKey;
  readonly #context: RunContext;
  readonly #prepared: PreparedCall;
  readonly #sampling: Sampling;
  readonly #canBeCancelledAlone: boolean;
  readonly #storageFailed: (fault: Fault) => void;
  readonly #paid: PaidCall;
  readonly #controller: AbortController;
  readonly #deltas: DeltaStream;
  #texts: ChannelTexts = { content: '', reasoning: '' };
  /** The usage that the engine counted while text arrived. `null`: the engine counts only at the end. */
  #usage: Usage | null = null;
  #end: AnswerEnd | null = null;

  constructor(context: RunContext, { key, prepared, canBeCancelledAlone, storageFailed }: StepCallOptions) {
    const { caps, day, deltas, events, snapshot, stop } = context;
    const { worker, messages } = prepared;
    this.#sampling = samplingOf(worker, snapshot.sampling);
    const { maxTokens } = this.#sampling;
    const least = leastOutput(worker, this.#sampling);
    this.key = key;
    this.#context = context;
    this.#prepared = prepared;
    this.#canBeCancelledAlone = canBeCancelledAlone;
    this.#storageFailed = storageFailed;
    this.#controller = canBeCancelledAlone ? new AbortController() : stop;
    this.#deltas = deltas.open((delta) => events.emit({ type: 'step-delta', ...key, ...delta }));
    this.#paid = new PaidCall({
      caps: {
        reserve: () => caps.reserve(worker, messages, this.#sampling),
        settle: (reservation, account, isCall) => caps.settle(reservation, account, isCall),
      },
      day: day.counts(worker) ? { ledger: day, charged: worker, messages, maxTokens, least, key } : null,
      record: (waiting) => this.#record(waiting),
    });
  }

  get hasText(): boolean {
    return this.#texts.content !== '' || this.#texts.reasoning !== '';
  }

  get output(): string {
    return this.#texts.content;
  }

  /** The output limit of this call, if a cap or the daily budget lowered it. Otherwise `null`. */
  get outputLimit(): number | null {
    return this.#paid.outputLimit;
  }

  get #maxTokens(): number {
    return this.outputLimit ?? this.#sampling.maxTokens;
  }

  /** Whether the call is not settled yet. */
  get isOpen(): boolean {
    return this.#paid.isOpen;
  }

  /** Whether the call was sent, or may have been sent. */
  get mayHaveLeft(): boolean {
    return this.#paid.mayHaveLeft;
  }

  reserve(): ReserveResult {
    return this.#paid.reserve();
  }

  /** Records that the call is about to be sent. Resolves once the record is stored, or storage has failed. */
  announce(): Promise<void> {
    const { worker, parts, sha256, without } = this.#prepared;
    const body = { type: 'step-started', ...this.key, workerId: worker.id, messages: parts, sha256 } as const;
    return this.#context.events.emitDurably({ ...body, ...(without.length > 0 ? { without } : {}) });
  }

  holdMoney(): CallRoom | Promise<CallRoom> {
    return this.#paid.hold(this.#controller.signal);
  }

  /**
   * Makes the call and reads the answer to its end. Never rejects.
   * @returns `null` if the call was settled meanwhile. Then its result is no longer needed
   */
  async run(seed: number): Promise<AnswerEnd | null> {
    const { client, worker, messages } = this.#prepared;
    const { attempt } = this.key;
    const task = this.#context.snapshot.batch?.task;
    const options = {
      ...this.#sampling,
      maxTokens: this.#maxTokens,
      seed,
      worker,
      attempt,
      ...(task === undefined ? {} : { task }),
    };
    this.#paid.handOver();
    try {
      const answer = client.run(messages, options, this.#controller.signal);
      await readStream(answer, (event) => this.#receive(event));
    } catch (thrown) {
      this.#end ??= failed(isAbort(thrown) ? CUT_OFF : toFault(thrown));
    }
    if (!this.isOpen) return null;
    this.#deltas.flush();
    return this.#end ?? failed(CUT_OFF);
  }

  /**
   * Cancels the call and settles it. Does not wait for the server.
   * @returns the result, with the text received so far as the answer
   */
  cancel(): CallResult {
    this.#deltas.flush();
    const result = this.resultOf({ usage: null, cost: null }, null);
    this.settle(result.account);
    this.#controller.abort();
    return result;
  }

  /** Settles a call that will never be sent, while other calls of the run continue. */
  abandon(found: Fault): CallResult {
    this.#deltas.flush();
    const result = this.resultOf(NOTHING_SPENT, found);
    this.settle(result.account);
    if (this.#canBeCancelledAlone) this.#controller.abort();
    return result;
  }

  /** Computes the result from the received text, and from the usage and cost that the worker reported. */
  resultOf({ usage, cost }: Account, found: Fault | null): CallResult {
    const { content: output, reasoning } = this.#texts;
    if (!this.mayHaveLeft) return { key: this.key, output, reasoning, account: NOTHING_SPENT, unsent: UNSENT };
    const { worker, messages } = this.#prepared;
    const maxTokens = this.#maxTokens;
    const reported = { usage: usage ?? this.#usage, cost };
    const account = accountFor({ worker, messages, output, reasoning, maxTokens, reported, fault: found });
    const { outputLimit } = this;
    const lowered = outputLimit === null ? {} : { lowered: { outputLimit } };
    return { key: this.key, output, reasoning, account, ...lowered };
  }

  /** @param isCall `false`: the call doesn't count towards the cap on calls, even if it was sent */
  settle(account: Account, isCall = true): void {
    void this.#paid.settle(account, isCall);
  }

  /**
   * Handles one event. For a `waiting` event, the method may return a promise. The worker's client then sends the call only
   * after the promise has resolved.
   * @returns whether to continue reading
   */
  #receive(event: WorkerEvent): boolean | Promise<boolean> {
    if (!this.isOpen) return false;
    if (event.type === 'waiting') return this.#paid.wait({ for: event.for, delay: event.delay });
    if (event.type !== 'failed') this.#paid.confirmSent();
    if (event.type !== 'delta') {
      this.#end = event;
      return false;
    }
    const { usage, ...delta } = event;
    this.#usage = usage ?? this.#usage;
    if (delta.text === '') return true;
    this.#texts = withDelta(this.#texts, delta);
    this.#deltas.add(delta);
    return true;
  }

  /**
   * Records that the call waits, or that its wait has ended. A call that has waited is sent only after the end of its wait is
   * stored. So the stored run always shows whether the call may have been sent.
   */
  #record(waiting: Waiting): Promise<void> | undefined {
    const { events } = this.#context;
    if (events.fault) {
      this.#storageFailed(events.fault);
      return undefined;
    }
    const body = { type: 'step-waiting', ...this.key, ...waiting } as const;
    if (waiting.for === null) return events.emitDurably(body);
    events.emit(body);
    return undefined;
  }
}

const CUT_OFF = fault('cut-off', 'The connection closed before the answer was complete. Try the step again.', {
  retryable: true,
});

function failed(fault: Fault): AnswerEnd {
  return { type: 'failed', fault, usage: null, cost: null };
}
