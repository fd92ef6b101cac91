/**
 * @file Requests the plan of one round from the Conductor, stores its events, and hands the workflow to the scheduler.
 *
 * | Status      | What happens                                   | On disk                             | If the run stops       |
 * | ----------- | ---------------------------------------------- | ----------------------------------- | ---------------------- |
 * | `receiving` | The Conductor reports what its model writes. A | `plan-started`, then deltas, steps, | the current `PaidCall` |
 * |             | `PaidCall` tracks the cost of each answer.     | candidates and retries              | is settled             |
 * | `choosing`  | All candidates have arrived. The user chooses. | every candidate, then `plan-held`   | no call is in progress |
 * | `over`      | The plan has finished or failed.               | `plan-finished` or `plan-failed`,   | no call is in progress |
 * |             |                                                | unless the run was stopped          |                        |
 *
 * The status changes from `receiving` to `over`. Between the two, the status is `choosing` if the user chooses among
 * candidates.
 */
import {
  chooseCandidate,
  checkWorkflow,
  fault,
  isAbort,
  toFault,
  type Conductor,
  type Fault,
  type UserDecisions,
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
  /** The decisions of the user, who chooses among candidates. `null`: no user is present. */
  readonly decisions: UserDecisions | null;
}

type PlanStatus = 'receiving' | 'choosing' | 'over';

export class PlanIntake {
  readonly #context: RunContext;
  readonly #scheduler: Scheduler;
  readonly #place: IntakePlace;
  readonly #settled: (workflow: Workflow) => void;
  /** Aborts when the plan is no longer needed, because the run stops or storage fails. */
  readonly #stop = new AbortController();
  readonly #calls: PlanCalls;
  #status: PlanStatus = 'receiving';
  #deltas: DeltaStream;
  /**
   * The number of requested candidates, and who chooses among them. With several candidates, no step starts before a candidate
   * is chosen.
   */
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

  /** Requests a plan from the Conductor and handles its events until the plan has finished or failed. Never rejects. */
  async run(conductor: Conductor, request: PlanRequest): Promise<void> {
    this.#request = request;
    await this.#orFail(async () => {
      await readStream(conductor.propose(request, this.#stop.signal), (event) => this.#receive(event));
      if (request.choice === 'person') await this.#choose();
    });
  }

  /** Asks the user again to choose among these candidates. Never rejects. */
  async resumeChoice(candidates: readonly Candidate[]): Promise<void> {
    this.#candidates = candidates;
    await this.#orFail(() => this.#choose());
  }

  /** Ends the plan because the run stops or storage fails. Emits buffered text first. */
  cancel(): void {
    this.#deltas.flush();
    const looksSent = this.#isWanted && this.#status === 'receiving' && this.#calls.looksSent;
    void this.#calls.current?.abandon();
    // Without this event, the stored run would look as if a call of unknown cost had been sent.
    if (looksSent) void this.#calls.record({ for: 'place', delay: null });
    this.#status = 'over';
    this.#stop.abort();
  }

  /** Runs `work`. If it ends without a plan although a plan is still needed, the plan fails. */
  async #orFail(work: () => Promise<void>): Promise<void> {
    let failure: Fault = CUT_OFF;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) failure = toFault(thrown);
    }
    if (!this.#isWanted) return;
    void this.#calls.current?.abandon();
    void this.#receive({ type: 'plan-failed', problem: null, fault: failure, ...NO_ANSWER });
  }

  /** Asks the user to choose among the candidates, if any of them has a workflow. */
  async #choose(): Promise<void> {
    const { decisions, round } = this.#place;
    const candidates = this.#candidates;
    if (!this.#isWanted || !decisions || !candidates.some(isChoosable)) return;
    this.#endCandidates();
    this.#status = 'choosing';
    const chosen = await awaitChoice(this.#context, decisions, { round, candidates });
    if (!chosen) return;
    void this.#receive({ type: 'plan-chosen', candidate: chosen.candidate, by: 'person' });
    void this.#receive(finishedWith(chosen));
  }

  /** Handles one event. The Conductor waits for the result before it sends a call. @returns whether to continue reading */
  #receive(event: PlanEvent): boolean | Promise<boolean> {
    if (!this.#isWanted) return false;
    switch (event.type) {
      case 'plan-started':
        return this.#start(event);
      case 'plan-waiting':
        return this.#wait(event);
      case 'plan-delta':
        this.#calls.current?.confirmSent();
        if (event.text !== '') this.#deltas.add(event);
        return true;
      case 'plan-candidate':
      case 'plan-retried':
      case 'plan-step-known':
      case 'plan-chosen':
      case 'plan-finished':
      case 'plan-failed':
        return this.#store(event);
      default:
        return event satisfies never;
    }
  }

  /** Handles the start of a plan. If the model is on another machine, the event is stored before the model is called. */
  #start(event: PlanStarted): boolean | Promise<boolean> {
    const { events } = this.#context;
    const body = { round: this.#place.round, ...event };
    this.#calls.start(event);
    if (this.#calls.leavesPage) return events.emitDurably(body).then(() => this.#isWanted && this.#requestAnswer());
    events.emit(body);
    return this.#requestAnswer();
  }

  /** Handles the Conductor's report that its call waits, or that the wait is over and the call is sent next. */
  #wait({ for: cause, delay }: Extract<PlanEvent, { type: 'plan-waiting' }>): boolean | Promise<boolean> {
    const mayContinue = this.#calls.wait({ for: cause, delay });
    return typeof mayContinue === 'boolean' ? mayContinue : mayContinue.then((mayLeave) => mayLeave && this.#isWanted);
  }

  #store(event: WrittenEvent): boolean | Promise<boolean> {
    this.#deltas.flush();
    const stored = this.#context.events.emitDurably({ round: this.#place.round, ...event });
    if (event.type !== 'plan-candidate') this.#endCandidates();
    if ('usage' in event) this.#calls.book(event);
    switch (event.type) {
      case 'plan-chosen':
        return true;
      case 'plan-candidate':
        this.#candidates = [...this.#candidates, event];
        this.#deltas = this.#openDeltas();
        return this.#candidates.length >= this.#request.candidates || this.#requestNextAnswer(stored);
      case 'plan-step-known':
        if (this.#mayStart(event)) this.#scheduler.addStep(event.index, event.step);
        return true;
      case 'plan-retried':
        this.#deltas = this.#openDeltas();
        this.#scheduler.dropPlan();
        this.#calls.correct(event);
        return event.next === 'fallback' || this.#requestNextAnswer(stored);
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

  /** Requests another answer from the model. If the model is on another machine, the cost of its last answer is stored first. */
  #requestNextAnswer(stored: Promise<void>): boolean | Promise<boolean> {
    return this.#calls.leavesPage ? stored.then(() => this.#isWanted && this.#requestAnswer()) : this.#requestAnswer();
  }

  /** Reserves the maximum cost of the model's next answer. @returns whether the model may be called */
  #requestAnswer(): boolean | Promise<boolean> {
    const room = this.#calls.next();
    return room instanceof Promise ? room.then((found) => this.#isAdmitted(found)) : this.#isAdmitted(room);
  }

  #isAdmitted(room: CallRoom): boolean {
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

  /**
   * Ends the plan because the next call of the model is refused. If a candidate with a workflow has arrived, one
   * such candidate is chosen, either automatically or by the user (see `run`). Otherwise the plan fails.
   */
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

  /** Releases the reservation for the next candidate if no part of that candidate has arrived. */
  #endCandidates(): void {
    const { current } = this.#calls;
    if (this.#candidates.length > 0 && current?.status === 'handed-over') void current.refund();
  }

  #fail(fault: Fault): false {
    this.#scheduler.failPlan(fault);
    return false;
  }

  get #isWanted(): boolean {
    return this.#status !== 'over' && this.#scheduler.wantsPlan;
  }

  /**
   * Whether a step may start before the plan is complete. A step that no valid plan could contain never starts early. Later, the
   * check of the whole plan reports this step.
   */
  #mayStart({ index, step }: Extract<PlanEvent, { type: 'plan-step-known' }>): boolean {
    if (this.#context.needsApproval || this.#request.candidates > 1 || this.#candidates.length > 0) return false;
    const steps = [...this.#scheduler.known.steps.slice(0, index), step];
    return steps.length === index + 1 && checkWorkflow({ steps }, this.#place.limits) === null;
  }

  #openDeltas(): DeltaStream {
    const { events, deltas } = this.#context;
    const { round } = this.#place;
    return deltas.open((delta) => events.emit({ type: 'plan-delta', round, ...delta }));
  }
}

type PlanStarted = Extract<PlanEvent, { type: 'plan-started' }>;
/** Events that are stored as soon as they arrive, after any buffered text. */
type WrittenEvent = Exclude<PlanEvent, { type: 'plan-started' | 'plan-waiting' | 'plan-delta' }>;

const NO_ANSWER = { text: '', usage: null, cost: null } as const;

const CUT_OFF = fault('plan-failed', 'The Conductor stopped before its plan was complete. Run the question again.', {
  retryable: true,
});
