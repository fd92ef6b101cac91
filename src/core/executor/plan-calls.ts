/**
 * @file Tracks the calls that a Conductor makes to its model for one plan. For each answer of the model, a
 * new `PaidCall` reserves and books the cost. A Conductor without a model has a single `PaidCall`, which
 * reserves nothing.
 */
import {
  chargedBy,
  correctionMessages,
  fault,
  PaidCall,
  renderPrompt,
  type Account,
  type CallRoom,
  type ConductorInfo,
  type Message,
  type Payee,
  type PlanEvent,
  type Sampling,
  type Waiting,
} from '../contract';
import type { RunContext } from './context';

type PlanStarted = Extract<PlanEvent, { type: 'plan-started' }>;

/** The model's next prompt. */
interface Prompt {
  readonly charged: Payee;
  /** The messages of the first attempt. */
  readonly first: readonly Message[];
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
}

export interface PlanCallsOptions {
  readonly context: Pick<RunContext, 'caps' | 'day' | 'events' | 'sources'>;
  readonly round: number;
  /** Aborts when the plan is no longer needed. */
  readonly signal: AbortSignal;
}

export class PlanCalls {
  readonly #options: PlanCallsOptions;
  #prompt: Prompt | null = null;
  #current: PaidCall | null = null;
  #callsModel = false;
  #answers = 0;

  constructor(options: PlanCallsOptions) {
    this.#options = options;
  }

  /** The call in progress, or else the last call. `null` before the first call. */
  get current(): PaidCall | null {
    return this.#current;
  }

  /** Whether the model is on a server, so that its calls leave this page. */
  get leavesPage(): boolean {
    return this.#prompt !== null && this.#prompt.charged.origin !== null;
  }

  /** Whether the stored events suggest that the call was sent, although it was not. */
  get looksSent(): boolean {
    const call = this.#current;
    return this.#callsModel && call?.status !== 'waiting' && call?.mayHaveLeft !== true;
  }

  /** Sets the prompt from `plan-started`. */
  start({ conductor, messages, sampling }: PlanStarted): void {
    this.#callsModel = messages.length > 0;
    this.#answers = 0;
    if (!this.#callsModel || !sampling) return;
    const charged = { ...chargedBy(conductor), id: payeeOf(conductor) };
    const first = renderPrompt(messages, this.#options.context.sources);
    this.#prompt = { charged, first, messages: first, sampling };
  }

  /** Adds a retry's correction to the prompt, in place of an earlier correction, and sets the retry's output limit. */
  correct({ text, correction, maxTokens }: Extract<PlanEvent, { type: 'plan-retried' }>): void {
    if (!this.#prompt) return;
    const { first, messages, sampling } = this.#prompt;
    this.#prompt = {
      ...this.#prompt,
      messages: correction ? [...first, ...correctionMessages(text, correction)] : messages,
      sampling: maxTokens === undefined ? sampling : { ...sampling, maxTokens },
    };
  }

  /**
   * Reserves the most that the next answer may use, under the caps and the daily budget. On success, the call is handed over to
   * the Conductor. Never rejects.
   */
  next(): CallRoom | Promise<CallRoom> {
    const call = this.#create();
    this.#current = call;
    const reserved = call.reserve();
    if (reserved.type === 'wait') return NO_ROOM_NOW;
    if (reserved.type === 'refused') return reserved;
    const room = call.hold(this.#options.signal);
    return room instanceof Promise ? room.then((found) => settleRoom(call, found)) : settleRoom(call, room);
  }

  /**
   * Records the Conductor's report that its call waits, or that the call is about to be sent. In the second case, resolves once
   * the report is stored.
   * @returns whether to continue
   */
  wait(waiting: Waiting): boolean | Promise<boolean> {
    if (this.#current?.isOpen) return this.#current.wait(waiting);
    const written = this.record(waiting);
    return written ? written.then(() => true) : true;
  }

  /** Books the cost of an answer. Without a reservation, the cost is only added to what the run has spent. */
  book(account: Account): void {
    this.#answers += 1;
    const call = this.#current;
    const isReserved = this.#prompt !== null && call?.isOpen === true;
    // Usage or a cost proves that the call was sent, even if the Conductor last reported that the call waits.
    if (account.usage !== null || account.cost) call?.confirmSent();
    void call?.settle(account);
    if (!isReserved) this.#options.context.caps.book(account);
  }

  /**
   * Records that the plan waits, or that its call is about to be sent. In the second case, the caller must wait until the record
   * is stored.
   */
  record(waiting: Waiting): Promise<void> | undefined {
    const { context, round } = this.#options;
    const body = { type: 'plan-waiting', round, ...waiting } as const;
    if (waiting.for === null) return context.events.emitDurably(body);
    context.events.emit(body);
    return undefined;
  }

  #create(): PaidCall {
    const { round, context } = this.#options;
    const { caps, day } = context;
    const record = (waiting: Waiting) => this.record(waiting);
    if (!this.#prompt) return new PaidCall({ caps: null, day: null, record });
    const { charged, messages, sampling } = this.#prompt;
    const key = { round, step: null, attempt: this.#answers };
    return new PaidCall({
      caps: {
        reserve: () => caps.reservePlan(charged, messages, sampling),
        settle: (reservation, account) => caps.settle(reservation, account),
      },
      day: day.counts(charged) ? { ledger: day, charged, messages, maxTokens: sampling.maxTokens, key } : null,
      record,
    });
  }
}

const NO_ROOM_NOW: CallRoom = {
  type: 'refused',
  fault: fault(
    'cap-reached',
    'Calls in progress have reserved too much of this run’s limits, so no plan can be requested. Raise the limits and run the question again.',
  ),
};

function settleRoom(call: PaidCall, room: CallRoom): CallRoom {
  if (room.type === 'ready') call.handOver();
  if (room.type === 'refused') void call.refund();
  return room;
}

/**
 * The id under which the cost is booked. If a worker is the Conductor, this is the worker's id, even if the policy does
 * part of the planning.
 */
function payeeOf({ id, kind }: ConductorInfo): string {
  return kind === 'endpoint' ? id.replace(/^(?:\w+\+)?endpoint:/, '') : id;
}
