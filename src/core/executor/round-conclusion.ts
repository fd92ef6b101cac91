/**
 * @file Decides the outcome of a round after all its steps have ended, for example an answer, another round
 * or a failure. The answer is the output of the last step. If the last step belongs to the Conductor, this
 * step requests another round. If no round follows, the answer is the output of the step before the
 * Conductor's step. The evaluation of arXiv 2512.04388 differs: it uses the last output that is not empty.
 */
import { alwaysFollowed, fault, mayRecurse, type Fault, type FaultCode, type RoundOutcome } from '../contract';
import type { RunContext } from './context';
import type { Scheduler } from './scheduler';
import type { StepRunner } from './step-runner';

export interface RoundConclusion {
  readonly outcome: RoundOutcome;
  /** Why the run fails. `null`: the outcome is not `failed`. */
  readonly fault: Fault | null;
  /** Whether the plan requests another round that the caps do not permit. */
  readonly wantsMoreRounds: boolean;
}

/**
 * Concludes a round whose steps have all ended. An empty plan keeps the earlier answer. A plan may be empty only
 * if there is an earlier answer.
 */
export function concludeRound(context: RunContext, scheduler: Scheduler, round: number): RoundConclusion {
  const stopped = context.events.fault ?? scheduler.planFault;
  if (stopped) return failed(stopped);
  const { steps } = scheduler;
  const last = steps.at(-1);
  if (!last) return ended('kept');
  const hasRoom = !context.caps.exhausted && !context.day.exhausted;
  if (last.phase !== 'conductor') {
    if (hasRoom && last.output !== null && alwaysFollowed(context.snapshot, round)) return ended('recursed');
    return answerOrFail(context, steps, last, false);
  }
  const isLastRound = !mayRecurse(context.snapshot, round);
  if (!isLastRound && hasRoom) return ended('recursed');
  return answerOrFail(context, steps, steps.at(-2) ?? last, isLastRound);
}

function answerOrFail(
  context: RunContext,
  steps: readonly StepRunner[],
  answer: StepRunner,
  wantsMoreRounds: boolean,
): RoundConclusion {
  if (answer.output !== null) return { ...ended('answered'), wantsMoreRounds };
  return { ...failed(explain(context, steps, answer)), wantsMoreRounds };
}

/** Faults of calls that were not sent because of a limit. */
const NOT_CALLED: ReadonlySet<FaultCode> = new Set(['cap-reached', 'price-unknown']);

/**
 * Finds the failed step that caused the round to have no answer.
 * @returns the step's fault. Its message names the step and the worker
 */
function explain(context: RunContext, steps: readonly StepRunner[], answer: StepRunner): Fault {
  let cause = answer;
  while (cause.because !== null) {
    const next = steps[cause.because];
    if (!next || next === cause) break;
    cause = next;
  }
  const found = cause.fault ?? fault('internal', 'The step has no output.');
  const name = context.snapshot.pool[cause.step.worker]?.name ?? 'unknown worker';
  const dependent = cause === answer ? '' : `, and step ${answer.index + 1}, which gives the answer, depends on it`;
  const ended = NOT_CALLED.has(found.code) ? 'was not called' : 'failed';
  return { ...found, message: `Step ${cause.index + 1} (${name}) ${ended}${dependent}. ${found.message}` };
}

function ended(outcome: RoundOutcome): RoundConclusion {
  return { outcome, fault: null, wantsMoreRounds: false };
}

function failed(fault: Fault): RoundConclusion {
  return { outcome: 'failed', fault, wantsMoreRounds: false };
}
