/**
 * @file Executes one session of a run, round by round, until the run has an answer, fails or is cancelled. Each time a run is
 * resumed, a new session begins.
 */
import {
  checkWorkflow,
  fault,
  loadOnce,
  planRequestOf,
  questionText,
  showsEarlierRounds,
  toFault,
  type EarlyEnd,
  type PlanRequest,
  type PromptSources,
  type RunEvent,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import { awaitApproval, type HeldPlan } from './approval';
import { CapsLedger } from './caps';
import { type RunContext, type Settling } from './context';
import { DayBudget } from './day-budget';
import { DeltaCoalescer } from './delta-coalescer';
import { sha256Hex } from '../contract/digest';
import { EventWriter, type RunEnd } from './event-writer';
import { openForked } from './fork';
import {
  answerOf,
  earlierRounds,
  freshRound,
  openNew,
  type Opening,
  type OpenRound,
  type PlayedRound,
} from './opening';
import { PlanIntake } from './plan-intake';
import type { ExecuteDependencies, ExecuteRequest } from './request';
import { openResumed } from './resume';
import { concludeRound, type RoundConclusion } from './round-conclusion';
import { Scheduler } from './scheduler';

/** Late, because most of it is the rules for comparing answers. */
const loadSettling = loadOnce(() => import('./settled'), 'the rules for settled steps');
const loadCombining = loadOnce(() => import('./combining'), 'the plan that combines steps');

export class Execution {
  readonly #request: ExecuteRequest;
  readonly #dependencies: ExecuteDependencies;
  readonly #signal: AbortSignal;
  readonly #opening: Opening;
  #context: RunContext;
  readonly #played: PlayedRound[];
  #scheduler: Scheduler | null = null;
  #intake: PlanIntake | null = null;
  #isAbandoned = false;
  #settling: Settling | null = null;
  /** Set once the user has ended the run early. */
  #early: EarlyEnd | null = null;

  /** @param watch receives each event, without waiting for storage */
  constructor(
    request: ExecuteRequest,
    dependencies: ExecuteDependencies,
    signal: AbortSignal,
    watch: (event: RunEvent) => void,
  ) {
    const { clock, journal, workers } = dependencies;
    this.#request = request;
    this.#dependencies = dependencies;
    this.#signal = signal;
    const opening = open(request);
    this.#opening = opening;
    this.#played = [...opening.played];
    const events = new EventWriter({
      runId: request.runId,
      firstSeq: opening.firstSeq,
      segment: opening.segment,
      journal,
      clock,
      watch,
      onStorageFault: (found) => {
        this.#intake?.cancel();
        this.#scheduler?.halt(found);
      },
    });
    this.#context = {
      snapshot: opening.snapshot,
      events,
      caps: new CapsLedger(opening.snapshot.caps, opening.spent, (reached) => events.emit(reached)),
      day: new DayBudget({
        runId: request.runId,
        spending: dependencies.spending,
        clock,
        reached: (reached) => events.emit(reached),
      }),
      deltas: new DeltaCoalescer(clock),
      clock,
      workers,
      digest: dependencies.digest ?? sha256Hex,
      sources: this.#sources(),
      played: () => this.#played,
      settling: () => this.#settling,
      stop: new AbortController(),
      needsApproval: opening.snapshot.approval && dependencies.decisions !== undefined,
      stopping: () => signal.aborted || this.#isAbandoned,
    };
  }

  /** Executes the session to its end. Resolves when all work has ended. Never rejects. */
  async run(): Promise<void> {
    const { events, deltas } = this.#context;
    void this.#dependencies.answerNow?.then((early) => this.#answerNow(early));
    // The cancellation is deferred, because a journal's `append` may abort the run while an event is being emitted.
    const aborted = () => void Promise.resolve().then(() => this.#cancel());
    this.#signal.addEventListener('abort', aborted, { once: true });
    try {
      await events.end(await this.#runRounds());
    } catch (thrown) {
      this.#cancel();
      await events.end({ type: 'run-failed', fault: toFault(thrown) });
    } finally {
      deltas.close();
      this.#signal.removeEventListener('abort', aborted);
      // After a storage fault, calls that were not sent may still wait in their clients. This cancels them.
      if (events.fault) this.#context.stop.abort();
      await this.#context.day.close();
    }
  }

  /** Stops the run because its events are no longer read. */
  stop(): void {
    this.#isAbandoned = true;
    this.#cancel();
  }

  #cancel(): void {
    this.#intake?.cancel();
    this.#scheduler?.cancel();
    this.#context.stop.abort();
  }

  /** Cancels the round in progress. `#runRounds` then ends the run. */
  #answerNow(early: EarlyEnd): void {
    const { events, stop } = this.#context;
    if (this.#early || this.#context.stopping() || events.fault || !this.#hasOutput(early)) return;
    this.#early = early;
    this.#intake?.cancel();
    this.#scheduler?.cancel();
    stop.abort();
    this.#context = { ...this.#context, stop: new AbortController() };
    events.emit({ type: 'answer-requested', ...early });
  }

  #hasOutput({ round, step }: EarlyEnd): boolean {
    if (round < this.#played.length) return typeof this.#played[round]?.outputs[step] === 'string';
    return round === this.#played.length && typeof this.#scheduler?.steps[step]?.written === 'string';
  }

  /** Ends the run with the answer that the user chose, or with one call that combines all finished steps. */
  async #endEarly(early: EarlyEnd, combining: OpenRound): Promise<RunEnd> {
    const { events } = this.#context;
    const end = { type: 'run-finished', round: early.round, step: early.step } as const;
    if (early.combinedBy === undefined || events.fault) return end;
    // Without the plan, for example with the network off, the answer that the user saw is used.
    const loaded = await loadCombining().catch(() => null);
    if (!loaded) return end;
    if (this.#context.stopping()) return { type: 'run-cancelled' };
    const scheduler = new Scheduler(this.#context, combining);
    this.#scheduler = scheduler;
    scheduler.finishPlan(loaded.planCombining(this.#context, combining, early.combinedBy));
    await scheduler.over;
    if (this.#context.stopping()) return { type: 'run-cancelled' };
    const { round } = combining;
    const isAnswered = typeof scheduler.steps[0]?.written === 'string';
    events.emit({ type: 'round-finished', round, outcome: isAnswered ? 'answered' : 'failed' });
    return isAnswered ? { ...end, round, step: 0 } : end;
  }

  async #runRounds(): Promise<RunEnd> {
    const { events, snapshot } = this.#context;
    const { early } = this.#opening;
    for (const body of this.#opening.events) events.emit(body);
    if (early) return this.#endEarly(early, this.#opening.next ?? freshRound(this.#played.length));
    for (let next = this.#opening.next; next; next = freshRound(this.#played.length)) {
      if (this.#context.stopping()) return { type: 'run-cancelled' };
      const conclusion = await this.#runRound(next);
      if (this.#context.stopping()) return { type: 'run-cancelled' };
      if (this.#early) {
        const outcome = this.#early.round === next.round ? 'answered' : 'kept';
        events.emit({ type: 'round-finished', round: next.round, outcome });
        return this.#endEarly(this.#early, freshRound(this.#played.length));
      }
      if (conclusion.wantsMoreRounds) {
        const limit = snapshot.caps.rounds;
        events.emit({ type: 'cap-reached', cap: 'rounds', limit, wanted: next.round + 2 });
      }
      if (conclusion.outcome !== 'recursed' && !events.fault) this.#scheduler?.skipConductor();
      events.emit({ type: 'round-finished', round: next.round, outcome: conclusion.outcome });
      if (conclusion.fault) return { type: 'run-failed', fault: conclusion.fault };
      if (conclusion.outcome !== 'recursed') break;
    }
    return this.#answer();
  }

  async #runRound(open: OpenRound): Promise<RoundConclusion> {
    const { events } = this.#context;
    const hasEarlierAnswer = this.#played.some(({ answer }) => answer !== null);
    const scheduler = new Scheduler(this.#context, open);
    this.#scheduler = scheduler;
    this.#intake = null;
    if (!open.begun) events.emit({ type: 'round-started', round: open.round });
    const limits = this.#limits(open, hasEarlierAnswer);
    const settle = (workflow: Workflow, approved = false) =>
      void this.#settlePlan(scheduler, { round: open.round, workflow, limits, approved });
    if (open.workflow) settle(open.workflow, open.approved);
    else this.#requestPlan(scheduler, { open, limits }, settle);
    await scheduler.over;
    this.#played.push(finishedBy(scheduler));
    return concludeRound(this.#context, scheduler, open.round);
  }

  /** Checks a finished plan, waits for the user's approval if needed, and hands the plan to the scheduler. */
  async #settlePlan(scheduler: Scheduler, { approved, ...held }: HeldPlan & { approved: boolean }): Promise<void> {
    const { workflow, limits } = held;
    const { decisions } = this.#dependencies;
    const problem = checkWorkflow(workflow, limits);
    if (problem) return scheduler.failPlan(fault('plan-invalid', problem.message));
    // Without the rules, for example with the network off, all steps are called.
    if (this.#context.snapshot.skipSettled) this.#settling = await loadSettling().catch(() => null);
    if (approved || !decisions || !this.#context.needsApproval || workflow.steps.length === 0)
      return scheduler.finishPlan(workflow);
    try {
      const settled = await awaitApproval(this.#context, decisions, held);
      if (settled) scheduler.finishPlan(settled);
    } catch (thrown) {
      scheduler.failPlan(toFault(thrown));
    }
  }

  /** Requests a plan. If a resumed run already has candidate plans, asks the user to choose one instead. */
  #requestPlan(
    scheduler: Scheduler,
    { open: { round, candidates }, limits }: { readonly open: OpenRound; readonly limits: WorkflowLimits },
    settle: (workflow: Workflow) => void,
  ): void {
    const { conductor, decisions = null } = this.#dependencies;
    const intake = new PlanIntake(this.#context, scheduler, { round, limits, decisions }, settle);
    this.#intake = intake;
    if (candidates.length > 0 && decisions) void intake.resumeChoice(candidates);
    else void intake.run(conductor, this.#planRequest(round));
  }

  /** The limits of a plan. A plan from an earlier session keeps that session's limit on steps. */
  #limits({ round, maxSteps }: OpenRound, allowEmpty: boolean): WorkflowLimits {
    const { snapshot } = this.#context;
    const { pool, recursion } = snapshot;
    const showsEarlier = showsEarlierRounds(snapshot, round);
    return { poolSize: pool.length, maxSteps: maxSteps ?? snapshot.maxSteps, recursion, allowEmpty, showsEarlier };
  }

  #planRequest(round: number): PlanRequest {
    const { history, embeddings } = this.#request;
    const earlier = earlierRounds(this.#played);
    const request = planRequestOf(this.#context.snapshot, { round, earlier, history, embeddings });
    // If no user is present, Podium chooses among the candidates.
    return this.#dependencies.decisions ? request : { ...request, choice: 'vote' };
  }

  /** Ends the run with its newest answer. The last round may have kept the answer of an earlier round. */
  #answer(): RunEnd {
    const round = this.#played.findLastIndex(({ answer }) => answer !== null);
    const step = this.#played[round]?.answer ?? null;
    if (step === null) return { type: 'run-failed', fault: fault('internal', 'The run ended without an answer.') };
    return { type: 'run-finished', round, step };
  }

  #sources(): PromptSources {
    const stepOf = (round: number, step: number) =>
      round < this.#played.length ? undefined : this.#scheduler?.steps[step];
    return {
      question: questionText(this.#opening.snapshot.question),
      subtask: (round, step) => (this.#played[round]?.workflow.steps[step] ?? stepOf(round, step)?.step)?.subtask,
      output: (round, step) => this.#played[round]?.outputs[step] ?? stepOf(round, step)?.output ?? undefined,
    };
  }
}

function open(request: ExecuteRequest): Opening {
  const { prior } = request;
  switch (prior?.kind) {
    case undefined:
      return openNew(request);
    case 'resume':
      return openResumed(request, prior);
    case 'fork':
      return openForked(request, prior);
    default:
      return prior satisfies never;
  }
}

function finishedBy(scheduler: Scheduler): PlayedRound {
  const workflow = scheduler.known;
  const outputs = scheduler.steps.map(({ written }) => written);
  return { workflow, outputs, answer: answerOf(outputs) };
}
