/**
 * @file What a round came to, once all its steps have ended: an answer, another round, or why there is neither. The answer
 * is the last step's output and nothing else; that the paper takes the last output that is not empty where it evaluates
 * belongs to the evaluation.
 */
import { fault, mayRecurse, type Fault, type RoundOutcome } from '../contract';
import type { RunContext } from './context';
import type { Scheduler } from './scheduler';
import type { StepRunner } from './step-runner';

export interface RoundConclusion {
  readonly outcome: RoundOutcome;
  /** Why the run fails; `null` for every outcome but `failed`. */
  readonly fault: Fault | null;
  /** The plan asked for one more round than is permitted. */
  readonly wantsMoreRounds: boolean;
}

/** For a round whose steps have all ended. That an empty plan has an answer to keep was checked when it was taken. */
export function concludeRound(context: RunContext, scheduler: Scheduler, round: number): RoundConclusion {
  const stopped = context.events.fault ?? scheduler.planFault;
  if (stopped) return failed(stopped);
  const { steps } = scheduler;
  const last = steps.at(-1);
  if (!last) return ended('kept');
  if (last.phase !== 'conductor') return concludeAnswer(context, steps, last, false);
  const isLastRound = !mayRecurse(context.snapshot, round);
  if (!isLastRound && !context.caps.exhausted && !context.day.exhausted) return ended('recursed');
  return concludeAnswer(context, steps, steps.at(-2) ?? last, isLastRound);
}

function concludeAnswer(
  context: RunContext,
  steps: readonly StepRunner[],
  answer: StepRunner,
  wantsMoreRounds: boolean,
): RoundConclusion {
  if (answer.output !== null) return { ...ended('answered'), wantsMoreRounds };
  return { ...failed(explain(context, steps, answer)), wantsMoreRounds };
}

/** The fault behind a step without an output, with a sentence that says where it lies. */
function explain(context: RunContext, steps: readonly StepRunner[], answer: StepRunner): Fault {
  let cause = answer;
  while (cause.because !== null) {
    const next = steps[cause.because];
    if (!next || next === cause) break;
    cause = next;
  }
  const found = cause.fault ?? fault('internal', 'It has no output.');
  const name = context.snapshot.pool[cause.step.worker]?.name ?? 'unknown worker';
  const waited = cause === answer ? '' : `, and step ${answer.index + 1} with the answer waited for it`;
  return { ...found, message: `Step ${cause.index + 1} (${name}) failed${waited}. ${found.message}` };
}

function ended(outcome: RoundOutcome): RoundConclusion {
  return { outcome, fault: null, wantsMoreRounds: false };
}

function failed(fault: Fault): RoundConclusion {
  return { outcome: 'failed', fault, wantsMoreRounds: false };
}
