/**
 * @file The plan of one round, from the question to the Conductor to the workflow that the scheduler runs.
 *
 * | Status      | What happens                                             | On disk                             | If the run stops        |
 * | ----------- | -------------------------------------------------------- | ----------------------------------- | ----------------------- |
 * | `receiving` | the Conductor reports what its model writes; what is set | `plan-started`; then deltas, steps, | its `PaidCall` settles  |
 * |             | aside for it is for its `PaidCall` to know               | candidates and retries as they come |                         |
 * | `choosing`  | the candidates are here, and the user chooses one        | every candidate, then `plan-held`   | nothing is under way    |
 * | `over`      | the plan is here, or there will be none                  | `plan-finished` or `plan-failed`,   | nothing is under way    |
 * |             |                                                          | unless the run was stopped          |                         |
 *
 * It goes from `receiving` to `over`, through `choosing` only where the user chooses among candidates.
 */
import {
  chooseCandidate,
  checkWorkflow,
  fault,
  isAbort,
  toFault,
  type Conductor,
  type Fault,
  type Person,
  type PlanEvent,
  type PlanRequest,
  type CallRoom,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import { awaitChoice, finishedWith, isChoosable, type Candidate } from './choice';
import type { RunContext } from './context';
import type { DeltaStream } from './delta-coalescer';
import { PlanCalls } from './plan-calls';
import { readStream } from './read-stream';
import type { Scheduler } from './scheduler';

interface IntakePlace {
  readonly round: number;
  readonly limits: WorkflowLimits;
  /** Who chooses among candidates, if anyone is there. */
  readonly person: Person | null;
}

type PlanStatus = 'receiving' | 'choosing' | 'over';

export class PlanIntake {
  readonly #context: RunContext;
  readonly #scheduler: Scheduler;
  readonly #place: IntakePlace;
  readonly #settled: (workflow: Workflow) => void;
  /** Aborted when the plan is not wanted any more: with the run, or alone where storage refuses. */
  readonly #stop = new AbortController();
  readonly #calls: PlanCalls;
  #status: PlanStatus = 'receiving';
  #deltas: DeltaStream;
  /** How many candidates are requested, and who chooses among them. With several, no step is final before one is chosen. */
  #request: Pick<PlanRequest, 'candidates' | 'choice'> = { candidates: 1, choice: 'vote' };
  #candidates: readonly Candidate[] = [];

  /** @param settled receives the finished plan */
  constructor(context: RunContext, scheduler: Scheduler, place: IntakePlace, settled: (workflow: Workflow) => void) {
    this.#context = context;
    this.#scheduler = scheduler;
    this.#place = place;
    this.#settled = settled;
    this.#deltas = this.#openDeltas();
    this.#calls = new PlanCalls({ context, round: place.round, signal: this.#stop.signal });
  }

  /** Asks the Conductor and passes on what it reports, until there is a plan or will be none. Never rejects. */
  async run(conductor: Conductor, request: PlanRequest): Promise<void> {
    this.#request = request;
    await this.#orFail(async () => {
      await readStream(conductor.propose(request, this.#stop.signal), (event) => this.#receive(event));
      if (request.choice === 'person') await this.#choose();
    });
  }

  /** Asks the user again who has not chosen among these. Never rejects. */
  async resumeChoice(candidates: readonly Candidate[]): Promise<void> {
    this.#candidates = candidates;
    await this.#orFail(() => this.#choose());
  }

  /** Ends the plan for a run that stops, or that storage refuses. What was written so far is still reported. */
  cancel(): void {
    this.#deltas.flush();
    const looksAsked = this.#isWanted && this.#status === 'receiving' && this.#calls.looksAsked;
    void this.#calls.current?.abandon();
    // Without that the call would count as one of unknown cost.
    if (looksAsked) void this.#calls.record({ for: 'place', delay: null });
    this.#status = 'over';
    this.#stop.abort();
  }

  /** If work ends without a plan that is still wanted, the plan fails. */
  async #orFail(work: () => Promise<void>): Promise<void> {
    let lost: Fault = CUT_OFF;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) lost = toFault(thrown);
    }
    if (!this.#isWanted) return;
    void this.#calls.current?.abandon();
    void this.#receive({ type: 'plan-failed', problem: null, fault: lost, ...NO_ANSWER });
  }

  /** The plan is the candidate that the user names, if there is any to name. */
  async #choose(): Promise<void> {
    const { person, round } = this.#place;
    const candidates = this.#candidates;
    if (!this.#isWanted || !person || !candidates.some(isChoosable)) return;
    this.#endCandidates();
    this.#status = 'choosing';
    const chosen = await awaitChoice(this.#context, person, { round, candidates });
    if (!chosen) return;
    void this.#receive({ type: 'plan-chosen', candidate: chosen.candidate, by: 'person' });
    void this.#receive(finishedWith(chosen));
  }

  /** @returns whether to read on; no call leaves for the next event before that is answered */
  #receive(event: PlanEvent): boolean | Promise<boolean> {
    if (!this.#isWanted) return false;
    switch (event.type) {
      case 'plan-started':
        return this.#start(event);
      case 'plan-waiting':
        return this.#wait(event);
      case 'plan-delta':
        this.#calls.current?.confirmSent();
        if (event.text !== '') this.#deltas.add(event.channel, event.text);
        return true;
      case 'plan-candidate':
      case 'plan-retried':
      case 'plan-step-known':
      case 'plan-chosen':
      case 'plan-finished':
      case 'plan-failed':
        return this.#keep(event);
      default:
        return event satisfies never;
    }
  }

  /** What is asked of a model elsewhere is on disk before it leaves, as a step is. */
  #start(event: PlanStarted): boolean | Promise<boolean> {
    const { events } = this.#context;
    const body = { round: this.#place.round, ...event };
    this.#calls.start(event);
    if (this.#calls.leavesPage) return events.emitDurably(body).then(() => this.#isWanted && this.#askModel());
    events.emit(body);
    return this.#askModel();
  }

  /** The Conductor's call is held back, or leaves after that. */
  #wait({ for: cause, delay }: Extract<PlanEvent, { type: 'plan-waiting' }>): boolean | Promise<boolean> {
    const goesOn = this.#calls.wait({ for: cause, delay });
    return typeof goesOn === 'boolean' ? goesOn : goesOn.then((mayLeave) => mayLeave && this.#isWanted);
  }

  #keep(event: KeptEvent): boolean | Promise<boolean> {
    this.#deltas.flush();
    const kept = this.#context.events.emitDurably({ round: this.#place.round, ...event });
    if (event.type !== 'plan-candidate') this.#endCandidates();
    if ('usage' in event) this.#calls.book(event);
    switch (event.type) {
      case 'plan-chosen':
        return true;
      case 'plan-candidate':
        this.#candidates = [...this.#candidates, event];
        this.#deltas = this.#openDeltas();
        return this.#candidates.length >= this.#request.candidates || this.#askAgain(kept);
      case 'plan-step-known':
        if (this.#mayStart(event)) this.#scheduler.learn(event.index, event.step);
        return true;
      case 'plan-retried':
        this.#deltas = this.#openDeltas();
        this.#scheduler.losePlan();
        this.#calls.correct(event);
        return event.next === 'fallback' || this.#askAgain(kept);
      case 'plan-finished':
        this.#status = 'over';
        this.#settled(event.workflow);
        return false;
      case 'plan-failed':
        return this.#fail(event.fault);
      default:
        return event satisfies never;
    }
  }

  /** Asks the model once more. What its last answer came to is on disk before that leaves. */
  #askAgain(kept: Promise<void>): boolean | Promise<boolean> {
    return this.#calls.leavesPage ? kept.then(() => this.#isWanted && this.#askModel()) : this.#askModel();
  }

  /** @returns whether the model may be asked: only where there is room for what it may answer */
  #askModel(): boolean | Promise<boolean> {
    const room = this.#calls.next();
    return room instanceof Promise ? room.then((found) => this.#mayAsk(found)) : this.#mayAsk(room);
  }

  #mayAsk(room: CallRoom): boolean {
    switch (room.type) {
      case 'ready':
        return true;
      case 'gone':
        return false;
      case 'refused':
        return this.#finishWithout(room.fault);
      default:
        return room satisfies never;
    }
  }

  /** The model cannot be asked again. One of the candidates that were paid for is chosen; without any the plan fails. */
  #finishWithout(found: Fault): false {
    const choice = chooseCandidate(this.#candidates);
    if (choice && this.#request.choice === 'person') return false;
    const chosen = choice ? this.#candidates[choice.place] : undefined;
    if (choice && chosen && isChoosable(chosen)) {
      void this.#receive({ type: 'plan-chosen', candidate: chosen.candidate, by: choice.by });
      void this.#receive(finishedWith(chosen));
      return false;
    }
    this.#context.events.emit({
      type: 'plan-failed',
      round: this.#place.round,
      problem: null,
      fault: found,
      ...NO_ANSWER,
    });
    return this.#fail(found);
  }

  /** One more candidate was requested and nothing of it came, so nothing has left for it. */
  #endCandidates(): void {
    const { current } = this.#calls;
    if (this.#candidates.length > 0 && current?.status === 'handed-over') void current.giveBack();
  }

  #fail(fault: Fault): false {
    this.#scheduler.failPlan(fault);
    return false;
  }

  get #isWanted(): boolean {
    return this.#status !== 'over' && this.#scheduler.wantsPlan;
  }

  /** A known step that could never stand in a valid plan waits for the plan to be judged as a whole. */
  #mayStart({ index, step }: Extract<PlanEvent, { type: 'plan-step-known' }>): boolean {
    if (this.#context.needsApproval || this.#request.candidates > 1 || this.#candidates.length > 0) return false;
    const steps = [...this.#scheduler.known.steps.slice(0, index), step];
    return steps.length === index + 1 && checkWorkflow({ steps }, this.#place.limits) === null;
  }

  #openDeltas(): DeltaStream {
    const { events, deltas } = this.#context;
    const { round } = this.#place;
    return deltas.open((channel, text) => events.emit({ type: 'plan-delta', round, channel, text }));
  }
}

type PlanStarted = Extract<PlanEvent, { type: 'plan-started' }>;
/** Events that are written as they come, once what was held back is written. */
type KeptEvent = Exclude<PlanEvent, { type: 'plan-started' | 'plan-waiting' | 'plan-delta' }>;

const NO_ANSWER = { text: '', usage: null, cost: null } as const;

const CUT_OFF = fault('plan-failed', 'The Conductor stopped before its plan was complete. Run the question again.', {
  retryable: true,
});
