/**
 * @file The calls that a Conductor makes to its model for one plan: one for each answer, one after the other, each a `PaidCall`.
 * A Conductor without a model has one too, which reserves nothing.
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

/** What the model is asked next. */
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
  /** Aborted when the plan is no longer wanted. */
  readonly signal: AbortSignal;
}

export class PlanCalls {
  readonly #options: PlanCallsOptions;
  #prompt: Prompt | null = null;
  #current: PaidCall | null = null;
  #asksModel = false;
  #answers = 0;

  constructor(options: PlanCallsOptions) {
    this.#options = options;
  }

  /** The call under way or the last one; `null` before the first. */
  get current(): PaidCall | null {
    return this.#current;
  }

  /** Whether anything leaves this page for the plan. */
  get leavesPage(): boolean {
    return this.#prompt !== null && this.#prompt.charged.origin !== null;
  }

  /** Whether the run's record reads as if the model were being asked, though no call has left. */
  get looksAsked(): boolean {
    const call = this.#current;
    return this.#asksModel && call?.status !== 'waiting' && call?.mayHaveLeft !== true;
  }

  /** Sets the prompt that `plan-started` reports. */
  start({ conductor, messages, sampling }: PlanStarted): void {
    this.#asksModel = messages.length > 0;
    this.#answers = 0;
    if (!this.#asksModel || !sampling) return;
    const charged = { ...chargedBy(conductor), id: payeeOf(conductor) };
    const first = renderPrompt(messages, this.#options.context.sources);
    this.#prompt = { charged, first, messages: first, sampling };
  }

  /** Adds a retry's correction to the prompt, in place of an earlier one, and its output limit. */
  correct({ text, correction, maxTokens }: Extract<PlanEvent, { type: 'plan-retried' }>): void {
    if (!this.#prompt) return;
    const { first, messages, sampling } = this.#prompt;
    this.#prompt = {
      ...this.#prompt,
      messages: correction ? [...first, ...correctionMessages(text, correction)] : messages,
      sampling: maxTokens === undefined ? sampling : { ...sampling, maxTokens },
    };
  }

  /** Finds room for the next answer. Never rejects. If there is room the call counts as handed over. */
  next(): CallRoom | Promise<CallRoom> {
    const call = this.#create();
    this.#current = call;
    const reserved = call.reserve();
    if (reserved.type === 'wait') return NO_ROOM_NOW;
    if (reserved.type === 'refused') return reserved;
    const room = call.hold(this.#options.signal);
    return room instanceof Promise ? room.then((found) => settleRoom(call, found)) : settleRoom(call, room);
  }

  /** The Conductor reports that its call waits, or leaves now. @returns whether to continue, once that is on disk */
  wait(waiting: Waiting): boolean | Promise<boolean> {
    if (this.#current?.isOpen) return this.#current.wait(waiting);
    const written = this.record(waiting);
    return written ? written.then(() => true) : true;
  }

  /** Books an answer. If nothing is reserved for it, it is only added to what the run has spent. */
  book(account: Account): void {
    this.#answers += 1;
    const call = this.#current;
    const isReserved = this.#prompt !== null && call?.isOpen === true;
    // An answer with usage or a cost has left, even if its call last reported that it waits.
    if (account.usage !== null || account.cost) call?.confirmSent();
    void call?.settle(account);
    if (!isReserved) this.#options.context.caps.book(account);
  }

  /** Records that the plan waits. Resolves once that is on disk, if the call leaves with it. */
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
    'Calls under way may use up the limits of this run, so no plan can be requested. Raise the limits and run again.',
  ),
};

/** A call that may leave is handed over at once; one that was refused gives back what it had. */
function settleRoom(call: PaidCall, room: CallRoom): CallRoom {
  if (room.type === 'ready') call.handOver();
  if (room.type === 'refused') void call.giveBack();
  return room;
}

/** A worker that conducts is paid as that worker, also where the policy does a part of it. */
function payeeOf({ id, kind }: ConductorInfo): string {
  return kind === 'endpoint' ? id.replace(/^(?:\w+\+)?endpoint:/, '') : id;
}
