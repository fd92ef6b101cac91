/**
 * @file One call of a step with what is set aside for it, from the moment there is room for it until what it came to is booked.
 */
import {
  accountFor,
  NOTHING_SPENT,
  worstCost,
  worstInput,
  type Account,
  type Fault,
  type StepKey,
  type Waiting,
} from '../contract';
import { Attempt, type AttemptEnd } from './attempt';
import type { Reservation } from './caps';
import type { RunContext } from './context';
import type { Hold } from './day-budget';
import type { PreparedCall } from './prepare-call';

/** How an attempt ended, or a call that never left. */
export interface Ended {
  readonly key: StepKey;
  readonly output: string;
  readonly reasoning: string;
  readonly account: Account;
  /** What its event adds where the call never left. */
  readonly unsent?: typeof UNSENT;
}

const UNSENT = { sent: false } as const;
export const NOTHING_CAME = { output: '', reasoning: '', account: NOTHING_SPENT };

export interface StepCallPlace {
  readonly key: StepKey;
  readonly prepared: PreparedCall;
  readonly reservation: Reservation;
  /** Whether it may have to be called off while others of the run go on. */
  readonly alone: boolean;
  /** Told where it says that it waits after storage has refused: until then it was taken for sent, and now it never leaves. */
  readonly refused: (fault: Fault) => void;
}

export class StepCall {
  readonly attempt: Attempt;
  readonly key: StepKey;
  readonly #context: RunContext;
  readonly #prepared: PreparedCall;
  readonly #reservation: Reservation;
  readonly #controller: AbortController;
  readonly #alone: boolean;
  readonly #refused: (fault: Fault) => void;
  /** Money of the day set aside for it; `null` while there is none, or where none is charged. */
  #hold: Hold | null = null;
  #isOpen = true;

  constructor(context: RunContext, { key, prepared, reservation, alone, refused }: StepCallPlace) {
    this.key = key;
    this.#context = context;
    this.#prepared = prepared;
    this.#reservation = reservation;
    this.#alone = alone;
    this.#refused = refused;
    this.#controller = alone ? new AbortController() : context.stop;
    this.attempt = new Attempt(
      context.deltas.open((channel, text) => context.events.emit({ type: 'step-delta', ...key, channel, text })),
      this.#controller,
      (waiting) => this.#wait(waiting),
    );
  }

  /** Whether what it came to is not booked yet. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Says that it is about to leave. Resolves once that is on disk, or refused. */
  announce(): Promise<void> {
    const { worker, parts, sha256 } = this.#prepared;
    const body = { type: 'step-started', ...this.key, workerId: worker.id, messages: parts, sha256 } as const;
    return this.#context.events.emitDurably(body);
  }

  /**
   * Sets its worst case aside under the cap of the day, where that is charged.
   * @returns why there is no room, or `null`: what was set aside for a call that is settled by then is given back
   */
  async holdMoney(): Promise<Fault | null> {
    const { day, snapshot } = this.#context;
    const { worker, messages } = this.#prepared;
    if (!day.counts(worker)) return null;
    const usd = worstCost(worker, worstInput(messages), snapshot.sampling.maxTokens);
    const { signal } = this.#controller;
    const outcome = await day.hold({ charged: worker, usd, key: this.key }, signal, (waiting) => this.#wait(waiting));
    if (outcome.type === 'refused') return outcome.fault;
    if (outcome.type === 'held' && this.#isOpen) this.#hold = outcome.hold;
    else if (outcome.type === 'held') void day.settle(outcome.hold, null);
    return null;
  }

  /** Makes the call and reads it to its end. @returns `null` if it was called off meanwhile */
  run(seed: number): Promise<AttemptEnd | null> {
    const { temperature, maxTokens } = this.#context.snapshot.sampling;
    const { client, worker, messages } = this.#prepared;
    const options = { temperature, maxTokens, seed, worker, attempt: this.key.attempt };
    return this.attempt.run((signal) => client.run(messages, options, signal));
  }

  /** It has not left and will not leave, while those that have go on. */
  leaveBehind(): void {
    if (this.#alone) this.attempt.callOff();
    else this.attempt.leaveBehind();
  }

  /** What it came to, from what it said and what was told of it. */
  endedAs({ usage, cost }: Account, found: Fault | null): Ended {
    const { output, reasoning, sent } = this.attempt;
    const { worker, messages } = this.#prepared;
    const { maxTokens } = this.#context.snapshot.sampling;
    const told = { usage, cost };
    if (!sent) return { key: this.key, output, reasoning, account: NOTHING_SPENT, unsent: UNSENT };
    const account = accountFor({ worker, messages, output, reasoning, maxTokens, told, fault: found });
    return { key: this.key, output, reasoning, account };
  }

  /** @param counted whether it was a call under the cap on calls, if it left at all */
  settle(account: Account, counted = true): void {
    const { caps, day } = this.#context;
    const { sent } = this.attempt;
    caps.settle(this.#reservation, account, sent && counted);
    if (this.#hold) void day.settle(this.#hold, sent ? account : null);
    this.#isOpen = false;
  }

  /** Says that it waits. That it leaves after that is on disk before it does. */
  #wait(waiting: Waiting): Promise<void> | undefined {
    if (!this.#isOpen) return undefined;
    const { events } = this.#context;
    if (events.fault) {
      this.#refused(events.fault);
      return undefined;
    }
    const body = { type: 'step-waiting', ...this.key, ...waiting } as const;
    if (waiting.for === null) return events.emitDurably(body);
    events.emit(body);
    return undefined;
  }
}
