/**
 * @file What the Conductor says of one round, on its way to the watcher and to the scheduler.
 */
import {
  chargedBy,
  checkWorkflow,
  fault,
  isAbort,
  NOTHING_SPENT,
  renderPrompt,
  toFault,
  worstInput,
  type Account,
  type Charged,
  type Conductor,
  type ConductorInfo,
  type Fault,
  type Message,
  type Person,
  type PlanEvent,
  type PlanRequest,
  type Sampling,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import { worstCost, type Reservation } from './caps';
import { awaitChoice, finishedWith, isChoosable, type Candidate } from './choice';
import type { RunContext } from './context';
import type { Hold } from './day-budget';
import type { DeltaStream } from './delta-coalescer';
import { readStream } from './read-stream';
import type { Scheduler } from './scheduler';

/** What a model is asked for the plan. */
interface Asked {
  readonly conductor: Charged & { readonly id: string };
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
}

interface IntakePlace {
  readonly round: number;
  readonly limits: WorkflowLimits;
  /** Who chooses among candidates, if anyone is there. */
  readonly person: Person | null;
}

type PlanStarted = Extract<PlanEvent, { type: 'plan-started' }>;

export class PlanIntake {
  readonly #context: RunContext;
  readonly #scheduler: Scheduler;
  readonly #limits: WorkflowLimits;
  readonly #round: number;
  readonly #person: Person | null;
  readonly #settled: (workflow: Workflow) => void;
  #deltas: DeltaStream;
  /** How many candidates are asked for, and have come. With several nothing is final before one is chosen. */
  #candidates = 1;
  #drawn: readonly Candidate[] = [];
  /** `null` for a Conductor that asks no model. */
  #asked: Asked | null = null;
  /** The plan is there, or there will be none. */
  #over = false;
  /** What is set aside for the answer that the model is about to write, or writes. */
  #reservation: Reservation | null = null;
  #hold: Hold | null = null;

  /** @param settled takes the finished plan */
  constructor(
    context: RunContext,
    scheduler: Scheduler,
    { round, limits, person }: IntakePlace,
    settled: (workflow: Workflow) => void,
  ) {
    this.#context = context;
    this.#scheduler = scheduler;
    this.#round = round;
    this.#limits = limits;
    this.#person = person;
    this.#settled = settled;
    this.#deltas = this.#openDeltas();
  }

  /** Asks the Conductor and passes on what it says until there is a plan, or will be none. Never rejects. */
  async run(conductor: Conductor, request: PlanRequest): Promise<void> {
    this.#candidates = request.candidates ?? 1;
    await this.#orFail(async () => {
      await readStream(conductor.propose(request, this.#context.stop.signal), (event) => this.#take(event));
      if (request.choice === 'person') await this.#choose();
    });
  }

  /** Asks the person again who has not chosen among these. Never rejects. */
  async goOnChoosing(candidates: readonly Candidate[]): Promise<void> {
    this.#candidates = candidates.length;
    this.#drawn = candidates;
    await this.#orFail(() => this.#choose());
  }

  /** Whatever comes to an end without a plan that is still wanted says why there is none. */
  async #orFail(work: () => Promise<void>): Promise<void> {
    let lost: Fault = CUT_OFF;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) lost = toFault(thrown);
    }
    // Whatever it wrote before it was called off may have been charged.
    if (!this.#isWanted) this.#settleDay(UNKNOWN);
    if (!this.#isWanted) return;
    void this.#take({ type: 'plan-failed', problem: null, fault: lost, text: '', usage: null, cost: null });
  }

  /** The plan is the candidate that the person names, if there is any to name. */
  async #choose(): Promise<void> {
    const candidates = this.#drawn;
    if (!this.#isWanted || !this.#person || !candidates.some(isChoosable)) return;
    const chosen = await awaitChoice(this.#context, this.#person, { round: this.#round, candidates });
    if (!chosen) return;
    void this.#take({ type: 'plan-chosen', candidate: chosen.candidate, by: 'person' });
    void this.#take(finishedWith(chosen));
  }

  /** The plan is not wanted any more: what was written so far is said, and nothing more will be. */
  callOff(): void {
    this.#deltas.flush();
  }

  /** @returns whether to read on; while it has not answered no call leaves for the next event */
  #take(event: PlanEvent): boolean | Promise<boolean> {
    const { events } = this.#context;
    if (!this.#isWanted) return false;
    if (event.type === 'plan-started') return this.#begin(event);
    if (event.type === 'plan-delta') {
      if (event.text !== '') this.#deltas.add(event.channel, event.text);
      return true;
    }
    this.#deltas.flush();
    events.emit({ round: this.#round, ...event });
    if ('usage' in event) this.#book(event);
    switch (event.type) {
      case 'plan-chosen':
        return true;
      case 'plan-candidate':
        this.#drawn = [...this.#drawn, event];
        this.#deltas = this.#openDeltas();
        return this.#drawn.length >= this.#candidates || this.#mayAsk();
      case 'plan-step-known':
        if (this.#mayStart(event)) this.#scheduler.learn(event.index, event.step);
        return true;
      case 'plan-retried':
        this.#deltas = this.#openDeltas();
        this.#scheduler.losePlan();
        return event.next === 'fallback' || this.#mayAsk();
      case 'plan-finished':
        this.#settle(event.workflow);
        return false;
      case 'plan-failed':
        return this.#fail(event.fault);
      default:
        return event satisfies never;
    }
  }

  /** What is asked of a model elsewhere is on disk before it leaves, as a step is. */
  #begin(event: PlanStarted): boolean | Promise<boolean> {
    const { events, sources } = this.#context;
    const { conductor, messages, sampling } = event;
    const body = { round: this.#round, ...event };
    if (messages.length > 0 && sampling) {
      this.#asked = {
        conductor: { ...chargedBy(conductor), id: payeeOf(conductor) },
        messages: renderPrompt(messages, sources),
        sampling,
      };
    }
    if (!this.#asked || this.#asked.conductor.origin === null) {
      events.emit(body);
      return this.#mayAsk();
    }
    return events.emitDurably(body).then(() => this.#isWanted && this.#mayAsk());
  }

  /** Sets aside what the model's next answer may come to; without room for it there will be no plan. */
  #mayAsk(): boolean | Promise<boolean> {
    if (!this.#asked) return true;
    const { conductor, messages, sampling } = this.#asked;
    const result = this.#context.caps.reservePlan(conductor, messages, sampling);
    if (result.type === 'refused') return this.#refuse(result.fault);
    this.#reservation = result.reservation;
    return !this.#context.day.counts(conductor) || this.#holdMoney(this.#asked);
  }

  /** The same under the cap of the day. */
  async #holdMoney({ conductor, messages, sampling }: Asked): Promise<boolean> {
    const { day, stop } = this.#context;
    const usd = worstCost(conductor, worstInput(messages), sampling.maxTokens);
    const outcome = await day.hold({ charged: conductor, usd }, stop.signal, () => undefined);
    if (outcome.type === 'held') this.#hold = outcome.hold;
    if (outcome.type === 'held' && this.#isWanted) return true;
    this.#book(NOTHING_SPENT);
    return outcome.type === 'refused' && this.#isWanted ? this.#refuse(outcome.fault) : false;
  }

  #refuse(fault: Fault): false {
    const nothing = { problem: null, text: '', usage: null, cost: null };
    this.#context.events.emit({ type: 'plan-failed', round: this.#round, fault, ...nothing });
    return this.#fail(fault);
  }

  #book(account: Account): void {
    const { caps } = this.#context;
    if (this.#reservation) caps.settle(this.#reservation, account);
    else caps.book(account);
    this.#reservation = null;
    this.#settleDay(account);
  }

  #settleDay(account: Account): void {
    if (this.#hold) void this.#context.day.settle(this.#hold, account);
    this.#hold = null;
  }

  #fail(fault: Fault): false {
    this.#scheduler.failPlan(fault);
    return false;
  }

  #settle(workflow: Workflow): void {
    this.#over = true;
    this.#settled(workflow);
  }

  get #isWanted(): boolean {
    return !this.#over && this.#scheduler.wantsPlan;
  }

  /** A known step that could never stand in a valid plan waits for the plan to be judged as a whole. */
  #mayStart({ index, step }: Extract<PlanEvent, { type: 'plan-step-known' }>): boolean {
    if (this.#context.asks || this.#candidates > 1 || this.#drawn.length > 0) return false;
    const steps = [...this.#scheduler.known.steps.slice(0, index), step];
    return steps.length === index + 1 && checkWorkflow({ steps }, this.#limits) === null;
  }

  #openDeltas(): DeltaStream {
    const { events, deltas } = this.#context;
    return deltas.open((channel, text) => events.emit({ type: 'plan-delta', round: this.#round, channel, text }));
  }
}

/** A worker that conducts is paid as that worker. */
function payeeOf({ id, kind }: ConductorInfo): string {
  return kind === 'endpoint' ? id.replace(/^endpoint:/, '') : id;
}

const UNKNOWN: Account = { usage: null, cost: null };
const CUT_OFF = fault('plan-failed', 'The Conductor stopped before its plan was whole. Run the question again.', {
  retryable: true,
});
