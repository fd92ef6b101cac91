/** @file The reducer for step events: updates the attempts, texts and outcome of a step. */
import { isFree } from '../money/account';
import type { EventBody, RunEvent, StepKey } from './events';
import type { Fault } from '../fault';
import { withDelta } from '../model/channel-text';
import { append, replaceAt } from './fold-arrays';
import { addSpent, waitOf, withRound } from './fold-updates';
import type { Attempt, AttemptStatus, Run, StepRun } from './state';
import type { PoolWorker } from '../worker/worker';

export type StepRunEvent = Extract<RunEvent, { type: Extract<EventBody['type'], `step-${string}`> }>;

export function foldStepEvent(run: Run, event: StepRunEvent): Run {
  const change = (update: (step: StepRun) => StepRun) => changeStep(run, event, update);
  switch (event.type) {
    case 'step-queued':
      return change((step) => ({ ...step, status: 'queued', queuedAt: run.time, because: null, fault: null }));
    case 'step-started': {
      const started = change((step) => ({
        ...step,
        status: 'running',
        attempts: append(step.attempts, newAttempt(run, event, run.pool[step.step.worker] ?? null)),
      }));
      return started === run ? run : addCalls(started, 1);
    }
    case 'step-waiting':
      return changeWaiting(run, event, (attempt) => wait(attempt, event, run.time));
    case 'step-delta':
      return changeWaiting(run, event, (attempt) => appendText(attempt, event, run.time));
    case 'step-retried':
      return endAttempt(run, event, 'retried', (step) => ({ ...step, status: 'queued' }));
    case 'step-finished':
      return endAttempt(run, event, 'finished', (step) => ({
        ...step,
        status: 'finished',
        output: event.output,
        ...(event.verdicts ? { verdicts: event.verdicts } : {}),
      }));
    case 'step-failed':
      return endAttempt(run, event, 'failed', (step) => ({ ...step, status: 'failed', fault: event.fault }));
    case 'step-cancelled':
      return endAttempt(run, event, 'cancelled', (step) => ({ ...step, status: 'cancelled' }));
    case 'step-discarded':
      return endAttempt(run, event, 'discarded', (step) => ({ ...step, status: 'discarded', output: null }));
    case 'step-skipped':
      return change((step) => ({ ...step, status: 'skipped', because: event.because }));
    case 'step-settled': {
      const { output, from, evidence } = event;
      return change((step) => ({ ...step, status: 'settled', output, settled: { from, evidence, at: run.time } }));
    }
    case 'step-reused':
      return change((step) => ({
        ...step,
        status: 'reused',
        output: event.output,
        reasoning: event.reasoning,
        ...(event.worker ? { writtenBy: event.worker } : {}),
        ...(event.verdicts ? { verdicts: event.verdicts } : {}),
      }));
    default:
      return event satisfies never;
  }
}

/**
 * Marks the open steps of a run as interrupted, because the tab of the run is gone. A call that was sent to a
 * paid worker and has not ended counts as a call of unknown cost.
 */
export function interruptSteps(run: Run): Run {
  let unpriced = 0;
  const interrupt = (step: StepRun): StepRun => {
    if (!isOpen(step)) return step;
    const attempts = step.attempts.map((attempt) => {
      if (attempt.status !== 'running') return attempt;
      const { worker } = attempt;
      // An attempt that was still waiting has not been sent.
      if (attempt.wait === null && !(worker && isFree(worker))) unpriced += 1;
      return { ...attempt, status: 'interrupted' as const, endedAt: run.time };
    });
    return { ...step, status: 'interrupted', attempts };
  };
  const rounds = run.rounds.map((round) =>
    round.steps.some(isOpen) ? { ...round, steps: round.steps.map(interrupt) } : round,
  );
  const { spent } = run;
  return { ...run, rounds, spent: { ...spent, unpriced: spent.unpriced + unpriced } };
}

/** Whether the step is running or may still be called. */
function isOpen({ status }: StepRun): boolean {
  return status === 'running' || status === 'queued';
}

/**
 * Whether the server rejected the call because of a rate limit, or because it is busy or loads the model. Such a call costs nothing
 * and can be retried later, so it does not count towards the cap on calls. An overload inside a stream has no HTTP status, and the
 * server may have worked on the call.
 */
export function isHeldBack({ code, status }: Fault): boolean {
  return code === 'rate-limited' || (code === 'overloaded' && status !== undefined);
}

function addCalls(run: Run, more: number): Run {
  return more === 0 ? run : { ...run, spent: { ...run.spent, calls: Math.max(0, run.spent.calls + more) } };
}

/**
 * Updates an attempt. If the attempt starts or stops waiting, the number of calls changes too: a waiting attempt
 * has not been sent, so it does not count as a call.
 */
function changeWaiting(run: Run, key: StepKey, update: (attempt: Attempt) => Attempt): Run {
  let left = 0;
  const changed = changeStep(run, key, (step) =>
    changeAttempt(step, key, (attempt) => {
      const updated = update(attempt);
      left = Number(updated.wait === null) - Number(attempt.wait === null);
      return updated;
    }),
  );
  return addCalls(changed, left);
}

function wait(attempt: Attempt, event: Extract<StepRunEvent, { type: 'step-waiting' }>, time: number): Attempt {
  if (attempt.status !== 'running') return attempt;
  const waits = waitOf(event, time);
  return {
    ...attempt,
    wait: waits,
    leftAt: waits === null ? time : null,
    ...(waits ? { waitedFor: waits.for } : {}),
  };
}

function newAttempt(
  run: Run,
  event: Extract<StepRunEvent, { type: 'step-started' }>,
  worker: PoolWorker | null,
): Attempt {
  return {
    attempt: event.attempt,
    status: 'running',
    workerId: event.workerId,
    worker,
    messages: event.messages,
    sha256: event.sha256,
    startedAt: run.time,
    wait: null,
    leftAt: run.time,
    retryAt: null,
    firstTokenAt: null,
    endedAt: null,
    output: '',
    reasoning: '',
    usage: null,
    cost: null,
    billed: false,
    outputLimit: null,
    finishReason: null,
    fault: null,
  };
}

function appendText(attempt: Attempt, delta: Extract<StepRunEvent, { type: 'step-delta' }>, time: number): Attempt {
  const { content: output, reasoning } = withDelta({ content: attempt.output, reasoning: attempt.reasoning }, delta);
  return {
    ...attempt,
    output,
    reasoning,
    wait: null,
    leftAt: attempt.leftAt ?? time,
    firstTokenAt: attempt.firstTokenAt ?? time,
  };
}

type EndEvent = Extract<
  StepRunEvent,
  { type: 'step-retried' | 'step-finished' | 'step-failed' | 'step-cancelled' | 'step-discarded' }
>;

/**
 * Ends the attempt that the event identifies, and records the cost. An attempt that was never sent does not count as a call.
 */
function endAttempt(run: Run, event: EndEvent, status: AttemptStatus, update: (step: StepRun) => StepRun): Run {
  let booked = false;
  let waited = false;
  let left = false;
  const ended = changeStep(run, event, (step) =>
    update(
      changeAttempt(step, event, (attempt) => {
        booked = attempt.status === 'running';
        waited = attempt.wait !== null;
        left = !('sent' in event && event.sent === false) && (!waited || event.type === 'step-finished');
        return {
          ...attempt,
          status,
          leftAt: booked ? (left ? (attempt.leftAt ?? run.time) : null) : attempt.leftAt,
          retryAt: event.type === 'step-retried' ? run.time + event.delay : null,
          endedAt: attempt.endedAt ?? run.time,
          wait: null,
          output: 'output' in event ? event.output : attempt.output,
          reasoning: 'reasoning' in event ? event.reasoning : attempt.reasoning,
          usage: event.usage ?? attempt.usage,
          cost: event.cost ?? attempt.cost,
          billed: event.billed ?? attempt.billed,
          outputLimit: ('outputLimit' in event ? event.outputLimit : undefined) ?? attempt.outputLimit,
          finishReason: 'finishReason' in event ? event.finishReason : attempt.finishReason,
          fault: 'fault' in event ? event.fault : attempt.fault,
        };
      }),
    ),
  );
  if (!booked) return ended;
  const heldBack =
    'fault' in event && isHeldBack(event.fault) && !('output' in event && event.output + event.reasoning);
  const counts = left && !heldBack;
  // A waiting attempt has not been counted yet.
  return addSpent(addCalls(ended, Number(counts) - Number(!waited)), event);
}

function changeAttempt(step: StepRun, key: StepKey, update: (attempt: Attempt) => Attempt): StepRun {
  const index = step.attempts.findLastIndex((attempt) => attempt.attempt === key.attempt);
  const attempt = step.attempts[index];
  return attempt ? { ...step, attempts: replaceAt(step.attempts, index, update(attempt)) } : step;
}

/**
 * Updates the step with this key. If the step's plan was replaced, the step may have moved to `discarded`. Later
 * events of its attempts update the step there.
 */
function changeStep(run: Run, key: StepKey, update: (step: StepRun) => StepRun): Run {
  const round = run.rounds[key.round];
  if (!round) return run;
  const owns = (step: StepRun) => step.attempts.findLastIndex(({ attempt }) => attempt === key.attempt) >= 0;
  const present = round.steps[key.step];
  const old = round.discarded.findIndex((step) => step.index === key.step && owns(step));
  const discarded = round.discarded[old];
  if (discarded && !(present && owns(present))) {
    return withRound(run, { ...round, discarded: replaceAt(round.discarded, old, update(discarded)) });
  }
  if (!present) return run;
  return withRound(run, { ...round, steps: replaceAt(round.steps, key.step, update(present)) });
}
