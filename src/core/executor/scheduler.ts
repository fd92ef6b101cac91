/**
 * @file Schedules the steps of a round. A step starts as soon as the steps that it sees have finished, even if the plan is
 * not completely written yet. Discards the steps of a dropped plan.
 */
import { sameStep, type Fault, type FaultCode, type Settlement, type Step, type Workflow } from '../contract';
import type { RunContext } from './context';
import type { KeptStep, LostStep, OpenRound } from './opening';
import type { StepPhase } from './step-phase';
import { StepRunner } from './step-runner';

/**
 * In these phases, a step may still send a call. `halt` prevents this. Steps in the phase `waiting` may send a
 * call, too, but `#advance` handles them.
 */
const HALTED: ReadonlySet<StepPhase> = new Set(['pausing', 'running']);

/** Faults of steps that were not called because of a limit of the run. */
const LIMITS: ReadonlySet<FaultCode> = new Set(['cap-reached', 'price-unknown']);

function plain(subtask: string): string {
  return subtask.trim().replace(/\s+/g, ' ').toLowerCase();
}

export class Scheduler {
  /** Resolves when the plan is complete or has failed, and every step has ended. Also resolves when the run is stopped. */
  readonly over: Promise<void>;
  readonly #context: RunContext;
  readonly #round: number;
  readonly #kept: Map<number, KeptStep>;
  readonly #lost: Map<number, LostStep>;
  readonly #nextAttempts: number[];
  #runners: StepRunner[] = [];
  #planFault: Fault | null = null;
  #planned = false;
  #stopped = false;
  #end: () => void = () => undefined;

  constructor(
    context: RunContext,
    { round, kept, lost = [], nextAttempts }: Pick<OpenRound, 'round' | 'kept' | 'lost' | 'nextAttempts'>,
  ) {
    this.#context = context;
    this.#round = round;
    this.#kept = new Map(kept.map((step) => [step.index, step]));
    this.#lost = new Map(lost.map((step) => [step.index, step]));
    this.#nextAttempts = [...nextAttempts];
    this.over = new Promise((resolve) => (this.#end = resolve));
  }

  get steps(): readonly StepRunner[] {
    return this.#runners;
  }

  /** Why the plan failed. `null`: it has not failed. */
  get planFault(): Fault | null {
    return this.#planFault;
  }

  /** Whether the round still waits for its plan. */
  get wantsPlan(): boolean {
    return !this.#planned && !this.#stopped;
  }

  get known(): Workflow {
    return { steps: this.#runners.map((runner) => runner.step) };
  }

  /**
   * Adds a fully written step of a plan that is still being written. If a step with this index is known, replaces that step.
   * Does nothing if the step before it is missing, or if no plan is awaited.
   */
  addStep(index: number, step: Step): void {
    if (!this.wantsPlan || index > this.#runners.length) return;
    const steps = [...this.known.steps];
    steps[index] = step;
    this.#replace(steps);
    this.#advance();
  }

  /** Accepts the complete, valid plan. */
  finishPlan(workflow: Workflow): void {
    if (!this.wantsPlan) return;
    this.#planned = true;
    this.#replace(workflow.steps);
    for (const surplus of this.#runners.splice(workflow.steps.length)) this.#drop(surplus);
    this.#dropKept();
    this.#advance();
  }

  dropPlan(): void {
    for (const runner of this.#runners.splice(0)) this.#drop(runner);
  }

  failPlan(fault: Fault): void {
    if (!this.wantsPlan) return;
    this.#planned = true;
    this.#planFault = fault;
    this.dropPlan();
    this.#dropKept();
    this.#advance();
  }

  /** Skips the step with which the Conductor asks for another round, because no other round follows. */
  skipConductor(): void {
    const last = this.#runners.at(-1);
    if (last?.phase === 'conductor') last.skip(last.index);
  }

  /**
   * Handles a failure of storage. The round stops waiting for its plan, and no more calls are sent. Calls in progress continue
   * to their end.
   */
  halt(fault: Fault): void {
    this.#planned = true;
    for (const runner of this.#runners) if (HALTED.has(runner.phase)) runner.halt(fault);
    this.#advance();
  }

  /** Cancels every step that has not ended, because the run is stopped. */
  cancel(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const runner of this.#runners) runner.cancel();
    this.#end();
  }

  /** Replaces the known steps. A step starts over if it has changed, or if it sees a step that starts over. */
  #replace(steps: readonly Step[]): void {
    const replaced = new Set<number>();
    for (const [index, step] of steps.entries()) {
      const present = this.#runners[index];
      if (present && sameStep(present.step, step) && !step.access.some((seen) => replaced.has(seen))) continue;
      if (present) {
        this.#drop(present);
        replaced.add(index);
      }
      this.#add(index, step);
    }
  }

  #add(index: number, step: Step): void {
    const place = { round: this.#round, index, step, nextAttempt: this.#nextAttempts[index] ?? 0 };
    const runner = new StepRunner(this.#context, place, this.#advance);
    this.#runners[index] = runner;
    const kept = this.#kept.get(index);
    this.#kept.delete(index);
    const lost = this.#lost.get(index);
    this.#lost.delete(index);
    if (lost && sameStep(lost.step, step)) {
      runner.lose(lost);
      return;
    }
    if (kept && sameStep(kept.step, step) && step.access.every((seen) => this.#isAsBefore(seen))) {
      runner.keep(kept);
      return;
    }
    if (kept) this.#discardKept(kept);
    runner.queue();
  }

  #drop(runner: StepRunner): void {
    runner.discard();
    this.#nextAttempts[runner.index] = runner.nextAttempt;
  }

  #dropKept(): void {
    for (const kept of this.#kept.values()) this.#discardKept(kept);
    this.#kept.clear();
  }

  /**
   * Discards a kept output that the plan can't use. Either the plan no longer contains this step, or this
   * step sees a step whose output was not kept. An output from another run needs no event, because this run
   * never started the step.
   */
  #discardKept({ index, attempt, account, reused }: KeptStep): void {
    if (reused) return;
    this.#context.events.emit({ type: 'step-discarded', round: this.#round, step: index, attempt, ...account });
  }

  readonly #advance = (): void => {
    if (this.#stopped) return;
    const { fault } = this.#context.events;
    // Steps see only earlier steps. So one loop in order skips all steps that depend on a failed step, directly or indirectly.
    for (const runner of this.#runners) {
      if (runner.phase !== 'waiting' && runner.phase !== 'conductor') continue;
      const settled = this.#settledAnswer(runner);
      if (settled) runner.settle(settled, this.#runners[settled.from]?.output ?? '');
      if (runner.phase !== 'waiting') continue;
      const { access } = runner.step;
      const missing = access.filter((seen) => this.#hasNoOutput(seen));
      const blocked = missing.find((seen) => !this.#mayLeaveOut(seen, access));
      if (blocked !== undefined) runner.skip(blocked);
      else if (!access.every((seen) => this.#runners[seen]?.phase === 'finished' || missing.includes(seen))) continue;
      else if (this.#awaitsAttempts(runner)) continue;
      else if (fault) runner.failUncalled(fault);
      else runner.tryStart(this.known, missing, !this.#planned);
    }
    if (this.#planned && this.#runners.every((runner) => runner.ended)) this.#end();
  };

  /** Whether attempts that may settle the step have not ended. While the plan is being written, the rules are not loaded yet. */
  #awaitsAttempts({ step: { agreement } }: StepRunner): boolean {
    const { snapshot, settling } = this.#context;
    if (!agreement || !snapshot.skipSettled) return false;
    if (!this.#planned) return true;
    return settling() !== null && agreement.among.some((attempt) => this.#runners[attempt]?.ended !== true);
  }

  /** The settled answer of a step that has not been called. `null`: the step must be called, or waits for the plan or for others. */
  #settledAnswer(runner: StepRunner): Settlement | null {
    const { index } = runner;
    if (!this.#planned || this.#context.events.fault || this.#awaitsAttempts(runner)) return null;
    return this.#context.settling()?.settledAnswer(this.#runners, index, this.#context.snapshot) ?? null;
  }

  /** Whether a step ended in an earlier session, so that an output of a step that sees it is still valid. */
  #isAsBefore(index: number): boolean {
    return this.#runners[index]?.kept === true || this.#hasNoOutput(index);
  }

  /** Whether a step without an output can be left out, because another attempt at the same task has an output or may get one. */
  #mayLeaveOut(index: number, seen: readonly number[]): boolean {
    if (this.#context.snapshot.leaveOutFailed !== true || !this.#failedByItself(index)) return false;
    return seen.some((other) => other !== index && !this.#hasNoOutput(other) && this.#isSameTask(index, other));
  }

  /** Whether a worker failed, and not a limit of the run, which applies to the other steps, too. */
  #failedByItself(index: number): boolean {
    const runner = this.#runners[index];
    if (runner?.fault) return !LIMITS.has(runner.fault.code);
    return runner?.because != null && runner.because !== index && this.#failedByItself(runner.because);
  }

  /** Whether two steps are independent attempts at the same task: the same subtask, with access to the same or to such steps. */
  #isSameTask(one: number, other: number): boolean {
    if (one === other) return true;
    const [a, b] = [this.#runners[one]?.step, this.#runners[other]?.step];
    if (!a || !b || a.access.length !== b.access.length || plain(a.subtask) !== plain(b.subtask)) return false;
    return a.access.every((seen, place) => this.#isSameTask(seen, b.access[place] ?? -1));
  }

  #hasNoOutput(index: number): boolean {
    const phase = this.#runners[index]?.phase;
    return phase === 'failed' || phase === 'skipped';
  }
}
