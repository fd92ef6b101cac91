/**
 * @file What the Conductor says of one round, on its way to the watcher and to the scheduler.
 */
import {
  chargedBy,
  chooseCandidate,
  correctionMessages,
  checkWorkflow,
  fault,
  isAbort,
  renderPrompt,
  toFault,
  type Account,
  type Conductor,
  type ConductorInfo,
  type Fault,
  type Person,
  type PlanEvent,
  type PlanRequest,
  type Waiting,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import { awaitChoice, finishedWith, isChoosable, type Candidate } from './choice';
import type { RunContext } from './context';
import type { DeltaStream } from './delta-coalescer';
import { PlanBudget, type PlanRoom } from './plan-budget';
import { readStream } from './read-stream';
import type { Scheduler } from './scheduler';

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
  #byPerson = false;
  /** Aborted when the plan is not wanted any more: with the run, or alone where storage refuses. */
  readonly #stop = new AbortController();
  readonly #budget: PlanBudget;
  /** Whether anything leaves this page for the plan. */
  #leavesPage = false;
  /** There is room for one more candidate, of which nothing has come. */
  #isSpare = false;
  /** A model is asked for it. */
  #asks = false;
  /** How many answers of the model have come. */
  #answers = 0;
  /** A call for it has left or may be leaving. */
  #mayHaveLeft = false;
  /** It is on record that its call waits. */
  #saysWaiting = false;
  /** The plan is there, or there will be none. */
  #over = false;

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
    const { signal } = this.#stop;
    const waits = (waiting: Waiting) => this.#wait(waiting);
    this.#budget = new PlanBudget({ context, signal, isWanted: () => this.#isWanted, waits });
  }

  /** Asks the Conductor and passes on what it says until there is a plan, or will be none. Never rejects. */
  async run(conductor: Conductor, request: PlanRequest): Promise<void> {
    this.#candidates = request.candidates;
    this.#byPerson = request.choice === 'person';
    await this.#orFail(async () => {
      await readStream(conductor.propose(request, this.#stop.signal), (event) => this.#take(event));
      if (this.#byPerson) await this.#choose();
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
    if (!this.#isWanted) return;
    this.#isSpare = false;
    void this.#take({ type: 'plan-failed', problem: null, fault: lost, text: '', usage: null, cost: null });
  }

  /** The plan is the candidate that the person names, if there is any to name. */
  async #choose(): Promise<void> {
    const candidates = this.#drawn;
    if (!this.#isWanted || !this.#person || !candidates.some(isChoosable)) return;
    this.#endDrawing();
    this.#asks = false;
    const chosen = await awaitChoice(this.#context, this.#person, { round: this.#round, candidates });
    if (!chosen) return;
    void this.#take({ type: 'plan-chosen', candidate: chosen.candidate, by: 'person' });
    void this.#take(finishedWith(chosen));
  }

  /** The plan is not wanted any more: what was written so far is said, and nothing more will be. */
  callOff(): void {
    this.#deltas.flush();
    // Whatever it wrote before it was called off may have been charged.
    if (this.#mayHaveLeft) this.#budget.lose();
    else this.#leaveUnasked();
    this.#stop.abort();
  }

  /** Nothing is asked of the model any more. That is on record as a wait, or the call would count as one of unknown cost. */
  #leaveUnasked(): void {
    this.#budget.giveBack();
    if (this.#asks && !this.#saysWaiting && this.#isWanted) void this.#wait({ for: 'place', delay: null });
  }

  /** @returns whether to read on; while it has not answered no call leaves for the next event */
  #take(event: PlanEvent): boolean | Promise<boolean> {
    const { events } = this.#context;
    if (!this.#isWanted) return false;
    if (event.type === 'plan-started') return this.#begin(event);
    if (event.type === 'plan-waiting') return this.#hearWait(event);
    if (event.type === 'plan-delta') {
      this.#mayHaveLeft = true;
      this.#saysWaiting = false;
      this.#isSpare = false;
      if (event.text !== '') this.#deltas.add(event.channel, event.text);
      return true;
    }
    this.#deltas.flush();
    const kept = events.emitDurably({ round: this.#round, ...event });
    if (event.type !== 'plan-candidate') this.#endDrawing();
    if ('usage' in event) this.#hearAnswer(event);
    switch (event.type) {
      case 'plan-chosen':
        return true;
      case 'plan-candidate':
        this.#drawn = [...this.#drawn, event];
        this.#deltas = this.#openDeltas();
        this.#isSpare = this.#drawn.length < this.#candidates;
        return !this.#isSpare || this.#mayAskAgain(kept);
      case 'plan-step-known':
        if (this.#mayStart(event)) this.#scheduler.learn(event.index, event.step);
        return true;
      case 'plan-retried':
        this.#deltas = this.#openDeltas();
        this.#scheduler.losePlan();
        if (event.correction) this.#budget.correct(correctionMessages(event.text, event.correction));
        return event.next === 'fallback' || this.#mayAskAgain(kept);
      case 'plan-finished':
        this.#settle(event.workflow);
        return false;
      case 'plan-failed':
        return this.#fail(event.fault);
      default:
        return event satisfies never;
    }
  }

  /** An answer of the model is there in full, and the next one is not asked for yet. */
  #hearAnswer(account: Account): void {
    this.#budget.book(account);
    this.#answers += 1;
    this.#mayHaveLeft = false;
    this.#saysWaiting = false;
  }

  /** What is asked of a model elsewhere is on disk before it leaves, as a step is. */
  #begin(event: PlanStarted): boolean | Promise<boolean> {
    const { events, sources } = this.#context;
    const { conductor, messages, sampling } = event;
    const body = { round: this.#round, ...event };
    this.#asks = messages.length > 0;
    this.#answers = 0;
    if (messages.length > 0 && sampling) {
      const charged = { ...chargedBy(conductor), id: payeeOf(conductor) };
      this.#leavesPage = charged.origin !== null;
      this.#budget.ask({ conductor: charged, messages: renderPrompt(messages, sources), sampling });
    }
    if (this.#leavesPage) return events.emitDurably(body).then(() => this.#isWanted && this.#mayAsk());
    events.emit(body);
    return this.#mayAsk();
  }

  /** Whether the model may be asked once more. What its last answer came to is on disk before that leaves. */
  #mayAskAgain(kept: Promise<void>): boolean | Promise<boolean> {
    return this.#leavesPage ? kept.then(() => this.#isWanted && this.#mayAsk()) : this.#mayAsk();
  }

  /** Whether the model may be asked: there must be room for what it may answer. */
  #mayAsk(): boolean | Promise<boolean> {
    const room = this.#budget.setAside({ round: this.#round, step: null, attempt: this.#answers });
    return room instanceof Promise ? room.then((found) => this.#goOn(found)) : this.#goOn(room);
  }

  #goOn(room: PlanRoom): boolean {
    switch (room.type) {
      case 'room':
        this.#mayHaveLeft = true;
        return true;
      case 'gone':
        return false;
      case 'refused':
        return this.#goWithout(room.fault);
      default:
        return room satisfies never;
    }
  }

  /** The model cannot be asked again. What was drawn and paid for by then is chosen among; with nothing there is no plan. */
  #goWithout(found: Fault): false {
    this.#isSpare = false;
    const choice = chooseCandidate(this.#drawn);
    if (choice && this.#byPerson) return false;
    const chosen = choice ? this.#drawn[choice.place] : undefined;
    if (choice && chosen && isChoosable(chosen)) {
      void this.#take({ type: 'plan-chosen', candidate: chosen.candidate, by: choice.by });
      void this.#take(finishedWith(chosen));
      return false;
    }
    const nothing = { problem: null, text: '', usage: null, cost: null };
    this.#context.events.emit({ type: 'plan-failed', round: this.#round, fault: found, ...nothing });
    return this.#fail(found);
  }

  /** However the drawing ended, one more candidate was asked for and did not come: nothing left for it. */
  #endDrawing(): void {
    if (this.#isSpare) this.#budget.giveBack();
    this.#isSpare = false;
  }

  /** The Conductor tells that its call is held back, or that it leaves after that. @returns whether it may */
  #hearWait({ for: cause, delay }: Waiting): boolean | Promise<boolean> {
    this.#isSpare = false;
    const taken = this.#wait({ for: cause, delay });
    return taken ? taken.then(() => this.#isWanted) : true;
  }

  /** Says that the call waits. That it leaves after that is on disk before it does. */
  #wait(waiting: Waiting): Promise<void> | undefined {
    if (!this.#isWanted) return undefined;
    const { events } = this.#context;
    const body = { type: 'plan-waiting', round: this.#round, ...waiting } as const;
    this.#mayHaveLeft = false;
    this.#saysWaiting = waiting.for !== null;
    if (waiting.for !== null) {
      events.emit(body);
      return undefined;
    }
    return events.emitDurably(body).then(() => {
      if (this.#isWanted) this.#mayHaveLeft = true;
    });
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

/** A worker that conducts is paid as that worker, also where the policy does a part of it. */
function payeeOf({ id, kind }: ConductorInfo): string {
  return kind === 'endpoint' ? id.replace(/^(?:\w+\+)?endpoint:/, '') : id;
}

const CUT_OFF = fault('plan-failed', 'The Conductor stopped before its plan was whole. Run the question again.', {
  retryable: true,
});
