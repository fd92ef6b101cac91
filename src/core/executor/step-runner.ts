/** @file Runs one step of a round until it finishes or fails: its calls, the pauses between them, and their events. */
import {
  isHeldBack,
  mixSeed,
  NOTHING_SPENT,
  toFault,
  type Fault,
  type PoolWorker,
  type Settlement,
  type Step,
  type StepKey,
  type StepVerdict,
  type Workflow,
} from '../contract';
import { finalFault, retryDelay } from '../contract/worker/retry';
import { conductorIndex, type RunContext } from './context';
import { emptyReply } from './empty-reply';
import type { KeptStep, LostStep } from './opening';
import { prepareCall, type PreparedCall } from './prepare-call';
import { NO_ANSWER, StepCall, type AnswerEnd, type CallResult } from './step-call';
import { ENDED, WITHOUT_CALL, type StepPhase } from './step-phase';

export interface StepPlace {
  readonly round: number;
  readonly index: number;
  readonly step: Step;
  /** Number of the step's next attempt. A resumed run continues the numbering, so that keys stay unique. */
  readonly nextAttempt: number;
}

export class StepRunner {
  readonly index: number;
  readonly step: Step;
  readonly #context: RunContext;
  readonly #round: number;
  readonly #changed: () => void;
  #phase: StepPhase = 'waiting';
  #nextAttempt: number;
  /** Number of failed attempts, without attempts that hit a rate limit. A resumed run counts from 0. */
  #made = 0;
  #rateLimited = 0;
  #prepared: PreparedCall | null = null;
  #underWay: StepCall | null = null;
  #pause: AbortController | null = null;
  /** The call that returned the output. */
  #last: CallResult | null = null;
  #fault: Fault | null = null;
  #because: number | null = null;
  #kept = false;
  #verdicts: readonly StepVerdict[] | undefined;
  #settled: Settlement | undefined;

  /** @param changed called when other steps may have become ready. No public method calls it synchronously */
  constructor(context: RunContext, place: StepPlace, changed: () => void) {
    this.#context = context;
    this.#round = place.round;
    this.index = place.index;
    this.step = place.step;
    this.#nextAttempt = place.nextAttempt;
    this.#changed = changed;
    if (place.step.worker === conductorIndex(context.snapshot)) this.#phase = 'conductor';
  }

  get phase(): StepPhase {
    return this.#phase;
  }

  get nextAttempt(): number {
    return this.#nextAttempt;
  }

  /** The output that later steps see. `null` before the step has finished. */
  get output(): string | null {
    return this.#phase === 'finished' && this.#last ? this.#last.output : null;
  }

  /** The output, even if it is not stored yet. `null`: there is none. */
  get written(): string | null {
    return this.#phase === 'storing' ? (this.#last?.output ?? null) : this.output;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  /** The parameter `because` of `skip`. `null` if the step was not skipped. */
  get because(): number | null {
    return this.#because;
  }

  /** What the step, a check, says about the answers that it saw. `undefined`: it was not asked. */
  get verdicts(): readonly StepVerdict[] | undefined {
    return this.#verdicts;
  }

  /** Why the step was settled without a call. `undefined`: it was not. */
  get settled(): Settlement | undefined {
    return this.#settled;
  }

  /** Whether the output is from an earlier session or another run. */
  get kept(): boolean {
    return this.#kept;
  }

  /** Whether the step has ended. Only the user can start it again. */
  get ended(): boolean {
    return ENDED.has(this.#phase);
  }

  /** Uses an earlier output instead of a call. */
  keep({ output, reasoning, attempt, account, reused, worker, verdicts, settled }: KeptStep): void {
    const key = this.#key(attempt);
    this.#kept = true;
    this.#verdicts = verdicts;
    this.#settled = settled;
    this.#last = { key, output, reasoning, account };
    this.#phase = 'finished';
    const writtenBy = worker ? { worker } : {};
    if (!reused) return;
    const said = verdicts ? { verdicts } : {};
    this.#context.events.emit({ type: 'step-reused', ...key, output, reasoning, ...writtenBy, ...said });
  }

  /** Uses the fault of an earlier session instead of a call, because a finished step has gone on without this step. */
  lose({ fault: found, because }: LostStep): void {
    this.#phase = found ? 'failed' : 'skipped';
    this.#fault = found;
    this.#because = because;
  }

  /** Emits `step-queued` if the step is waiting. */
  queue(): void {
    if (this.#phase !== 'waiting') return;
    this.#context.events.emit({ type: 'step-queued', ...this.#key() });
  }

  /**
   * Calls the worker if the caps allow it. Otherwise the step keeps waiting or fails. Call this only if all
   * steps that the step sees have finished.
   * @param without failed steps that this step goes on without
   * @param early whether the plan is still being written. If so, the call gets its own abort controller. The
   * finished plan may lack this step, and then only this call is cancelled
   */
  tryStart(known: Workflow, without: readonly number[], early: boolean): void {
    if (this.#phase !== 'waiting' || this.#context.stopping()) return;
    try {
      this.#prepared ??= prepareCall(this.#context, known, this.#round, this.index, without);
    } catch (thrown) {
      this.failUncalled(toFault(thrown));
      return;
    }
    const call = new StepCall(this.#context, {
      key: this.#key(),
      prepared: this.#prepared,
      canBeCancelledAlone: early,
      storageFailed: (fault) => this.#stopWaiting(fault),
    });
    const result = call.reserve();
    switch (result.type) {
      case 'reserved':
        this.#phase = 'running';
        void this.#call(call, this.#prepared.worker);
        return;
      case 'refused':
        this.failUncalled(result.fault);
        return;
      case 'wait':
        return;
      default:
        result satisfies never;
    }
  }

  /**
   * Skips the step.
   * @param because the index of the earlier step whose output is missing. If no other round follows, the
   * Conductor's step is skipped with its own index
   */
  skip(because: number): void {
    this.#phase = 'skipped';
    this.#because = because;
    this.#context.events.emit({ type: 'step-skipped', ...this.#key(), because });
  }

  /** Takes an earlier output instead of a call, because the answer of this step is settled. */
  settle(settlement: Settlement, output: string): void {
    const key = this.#key();
    this.#phase = 'finished';
    this.#settled = settlement;
    this.#last = { key, output, reasoning: '', account: NOTHING_SPENT };
    this.#context.events.emit({ type: 'step-settled', ...key, output, ...settlement });
  }

  /** Fails the step if it waits for its first or next call. No effect in any other phase. */
  failUncalled(fault: Fault): void {
    if (this.#phase !== 'waiting' && this.#phase !== 'pausing') return;
    this.#pause?.abort();
    this.#fail(fault, { key: this.#key(), ...NO_ANSWER });
  }

  /** Handles a failure of storage. A call that was already sent continues to its end. No other call is sent. */
  halt(fault: Fault): void {
    this.failUncalled(fault);
    const underWay = this.#underWay;
    if (underWay && !underWay.mayHaveLeft) this.#failUnsent(underWay, fault);
  }

  /** Cancels the step because the run is stopped. A step that was never called is reported as cancelled too. */
  cancel(): void {
    const ended = this.#interrupt();
    if (!ended) return;
    const { key, output, reasoning, account, unsent } = ended;
    this.#context.events.emit({ type: 'step-cancelled', ...key, output, reasoning, ...account, ...unsent });
  }

  /** Discards the step because the plan no longer has it. Its output no longer counts, but its cost does. */
  discard(): void {
    const ended = this.#interrupt() ?? this.#last;
    this.#phase = 'gone';
    if (ended) this.#context.events.emit({ type: 'step-discarded', ...ended.key, ...ended.account, ...ended.unsent });
  }

  async #call(call: StepCall, worker: PoolWorker): Promise<void> {
    this.#nextAttempt += 1;
    this.#underWay = call;
    await call.announce();
    if (!this.#mayLeave(call)) return;
    const room = await call.holdMoney();
    if (!this.#mayLeave(call)) return;
    if (room.type === 'refused') this.#failUnsent(call, room.fault);
    else {
      const end = await call.run(mixSeed(this.#context.snapshot.seed, this.#round, this.index));
      if (!end || !call.isOpen) return;
      await this.#conclude(end, call, worker);
    }
    this.#changed();
  }

  /** Whether a call that is not sent yet may still be sent. */
  #mayLeave(call: StepCall): boolean {
    const { events, stopping } = this.#context;
    if (!call.isOpen || stopping()) return false;
    if (!events.fault) return true;
    this.#stopWaiting(events.fault);
    return false;
  }

  #stopWaiting(fault: Fault): void {
    this.halt(fault);
    this.#changed();
  }

  async #conclude(end: AnswerEnd, call: StepCall, worker: PoolWorker): Promise<void> {
    const { events, snapshot } = this.#context;
    const { hasText, key } = call;
    const finishReason = end.type === 'finished' ? end.finishReason : null;
    const found = end.type === 'failed' ? end.fault : emptyReply(call.output, finishReason, worker, call.outputLimit);
    const result = call.resultOf(end, found);
    const { output, reasoning, account, unsent, lowered } = result;
    const heldBack = found !== null && isHeldBack(found) && !hasText;
    call.settle(account, !heldBack);
    this.#underWay = null;
    if (!found) {
      this.#phase = 'storing';
      this.#last = result;
      const checked = this.#prepared?.checked ?? [];
      if (checked.length > 0) this.#verdicts = this.#context.settling()?.readVerdicts(output, checked);
      await events.emitDurably({
        type: 'step-finished',
        ...key,
        output,
        reasoning,
        ...account,
        ...lowered,
        finishReason,
        ...(this.#verdicts ? { verdicts: this.#verdicts } : {}),
      });
      if (this.#phase === 'storing') this.#phase = 'finished';
      return;
    }
    const made = heldBack ? ++this.#rateLimited : ++this.#made;
    const delay =
      hasText || events.fault
        ? null
        : retryDelay(found, made, mixSeed(snapshot.seed, this.#round, this.index, key.attempt));
    if (delay === null) {
      this.#fail(finalFault(found), result);
      return;
    }
    events.emit({ type: 'step-retried', ...key, fault: found, ...account, ...unsent, delay });
    this.#pauseFor(delay);
  }

  #failUnsent(call: StepCall, fault: Fault): void {
    this.#underWay = null;
    this.#fail(fault, call.abandon(fault));
  }

  #fail(fault: Fault, { key, output, reasoning, account, unsent, lowered }: CallResult): void {
    this.#phase = 'failed';
    this.#fault = fault;
    this.#context.events.emit({
      type: 'step-failed',
      ...key,
      fault,
      output,
      reasoning,
      ...account,
      ...unsent,
      ...lowered,
    });
  }

  #pauseFor(delay: number): void {
    const pause = new AbortController();
    this.#pause = pause;
    this.#phase = 'pausing';
    void this.#context.clock.sleep(delay, pause.signal).then(
      () => {
        if (this.#phase !== 'pausing') return;
        this.#phase = 'waiting';
        this.#changed();
      },
      () => undefined,
    );
  }

  /**
   * Cancels the current call. If there is none, prevents the next call.
   * @returns the result of the cancelled call, or an empty result for a prevented call. `null` if there was neither
   */
  #interrupt(): CallResult | null {
    const underWay = this.#underWay;
    if (!underWay && !WITHOUT_CALL.has(this.#phase)) return null;
    this.#phase = 'gone';
    this.#pause?.abort();
    if (!underWay) return { key: this.#key(), ...NO_ANSWER };
    this.#underWay = null;
    return underWay.cancel();
  }

  #key(attempt = this.#nextAttempt): StepKey {
    return { round: this.#round, step: this.index, attempt };
  }
}
