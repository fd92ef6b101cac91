/**
 * @file One call, from the moment it may leave until it has ended or is called off.
 */
import {
  fault,
  isAbort,
  toFault,
  type Channel,
  type Fault,
  type FinishReason,
  type Usage,
  type Waiting,
  type WorkerEvent,
} from '../contract';
import type { DeltaStream } from './delta-coalescer';
import { readStream } from './read-stream';

export type AttemptEnd =
  | {
      readonly type: 'finished';
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly finishReason: FinishReason;
    }
  | { readonly type: 'failed'; readonly fault: Fault; readonly usage: Usage | null; readonly cost: number | null };

/** Told when a call has to wait before it leaves, and when it leaves after that: not before that is taken. */
export type Waits = (waiting: Waiting) => void | Promise<void>;

export class Attempt {
  readonly #deltas: DeltaStream;
  readonly #controller: AbortController;
  readonly #waits: Waits;
  #output = '';
  #reasoning = '';
  #sent = false;
  #calledOff = false;
  #end: AttemptEnd | null = null;

  /**
   * @param controller aborted when the attempt is called off; it may be shared by attempts that are called off together
   */
  constructor(deltas: DeltaStream, controller: AbortController, waits: Waits) {
    this.#deltas = deltas;
    this.#controller = controller;
    this.#waits = waits;
  }

  /** All content so far. */
  get output(): string {
    return this.#output;
  }

  get reasoning(): string {
    return this.#reasoning;
  }

  get hasText(): boolean {
    return this.#output !== '' || this.#reasoning !== '';
  }

  /** Whether the call has left or may be leaving, so that it may cost something: until it says that it waits, it may. */
  get sent(): boolean {
    return this.#sent;
  }

  /**
   * Makes the call and reads it to its end. Never rejects.
   * @returns `null` if it was called off meanwhile
   */
  async run(call: (signal: AbortSignal) => AsyncIterable<WorkerEvent>): Promise<AttemptEnd | null> {
    this.#sent = true;
    try {
      await readStream(call(this.#controller.signal), (event) => this.#take(event));
    } catch (thrown) {
      this.#end ??= failed(isAbort(thrown) ? CUT_OFF : toFault(thrown));
    }
    if (this.#calledOff) return null;
    this.#deltas.flush();
    return this.#end ?? failed(CUT_OFF);
  }

  /** Cancels the call upstream. What had come until now is all that will have come; it does not wait for the other side. */
  callOff(): void {
    this.#calledOff = true;
    this.#deltas.flush();
    this.#controller.abort();
  }

  /** Nothing is waited for any more: what had not left will not leave. Others under way with it are left alone. */
  leaveBehind(): void {
    this.#calledOff = true;
    this.#deltas.flush();
  }

  /** @returns whether to read on; while it has not answered the call does not leave */
  #take(event: WorkerEvent): boolean | Promise<boolean> {
    if (this.#calledOff) return false;
    if (event.type === 'waiting') {
      this.#sent = false;
      if (event.for === null) return this.#leave();
      void this.#waits({ for: event.for, delay: event.delay });
      return this.#mayGoOn;
    }
    if (event.type !== 'failed') this.#sent = true;
    if (event.type !== 'delta') {
      this.#end = event;
      return false;
    }
    if (event.text !== '') this.#add(event.channel, event.text);
    return true;
  }

  /** That it leaves is on record before it does, so that nobody has to wonder afterwards whether it has. */
  async #leave(): Promise<boolean> {
    await this.#waits({ for: null, delay: null });
    this.#sent = this.#mayGoOn;
    return this.#mayGoOn;
  }

  /** Whether it was not called off by whoever was told of it. */
  get #mayGoOn(): boolean {
    return !this.#calledOff;
  }

  #add(channel: Channel, text: string): void {
    if (channel === 'content') this.#output += text;
    else this.#reasoning += text;
    this.#deltas.add(channel, text);
  }
}

const CUT_OFF = fault('cut-off', 'The connection ended before the answer was whole. Try the step again.', {
  retryable: true,
});

function failed(fault: Fault): AttemptEnd {
  return { type: 'failed', fault, usage: null, cost: null };
}
