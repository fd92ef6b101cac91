/**
 * @file Schedules the steps of a round. A step starts as soon as the steps that it sees have finished, even if the plan is
 * not completely written yet. Discards the steps of a dropped plan.
 */
import { sameStep, type Fault, type Step, type Workflow } from '../contract';
import type { RunContext } from './context';
import type { KeptStep, OpenRound } from './opening';
import type { StepPhase } from './step-phase';
import { StepRunner } from './step-runner';

/**
 * In these phases, a step may still send a call. `halt` prevents this. Steps in the phase `waiting` may send a
 * call, too, but `#advance` handles them.
 */
const HALTED: ReadonlySet<StepPhase> = new Set(['pausing', 'running']);

export class Scheduler {
  /** Resolves when the plan is complete or has failed, and every step has ended. Also resolves when the run is stopped. */
  readonly over: Promise<void>;
  readonly #context: RunContext;
  readonly #round: number;
  readonly #kept: Map<number, KeptStep>;
  readonly #nextAttempts: number[];
  #runners: StepRunner[] = [];
  #planFault: Fault | null = null;
  #planned = false;
  #stopped = false;
  #end: () => void = () => undefined;

  constructor(context: RunContext, { round, kept, nextAttempts }: Pick<OpenRound, 'round' | 'kept' | 'nextAttempts'>) {
    this.#context = context;
    this.#round = round;
    this.#kept = new Map(kept.map((step) => [step.index, step]));
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
    if (kept && sameStep(kept.step, step) && step.access.every((seen) => this.#runners[seen]?.kept)) {
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
      if (runner.phase !== 'waiting') continue;
      const blocked = runner.step.access.find((seen) => this.#hasNoOutput(seen));
      if (blocked !== undefined) runner.skip(blocked);
      else if (!runner.step.access.every((seen) => this.#runners[seen]?.phase === 'finished')) continue;
      else if (fault) runner.failUncalled(fault);
      else runner.tryStart(this.known, !this.#planned);
    }
    if (this.#planned && this.#runners.every((runner) => runner.ended)) this.#end();
  };

  #hasNoOutput(index: number): boolean {
    const phase = this.#runners[index]?.phase;
    return phase === 'failed' || phase === 'skipped';
  }
}
