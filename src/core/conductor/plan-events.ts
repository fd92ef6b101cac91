/** @file Creates the plan events for a language model's attempts to write a workflow. */
import { fault, type Account, type CandidateScore, type ConductorInfo, type PlanEvent } from '../contract';
import type { PlanAttempt, Outcome } from './attempt';

export type Failure = Exclude<Outcome, { kind: 'valid' }>;

/** The event for a successful attempt, whose workflow becomes the plan. */
export function finished(attempt: PlanAttempt, { workflow, thought }: Extract<Outcome, { kind: 'valid' }>): PlanEvent {
  const { text, finishReason, speed } = attempt;
  const measured = speed ? { speed } : {};
  return {
    type: 'plan-finished',
    workflow,
    thought,
    text,
    source: 'conductor',
    ...billOf(attempt),
    finishReason,
    ...measured,
  };
}

function billOf({ usage, cost, billed }: PlanAttempt): Account {
  return billed ? { usage, cost, billed } : { usage, cost };
}

/** The event for a failed attempt that is followed by another attempt. */
export function retried(
  attempt: PlanAttempt,
  outcome: Failure,
  next: 'stricter' | 'fallback',
): Extract<PlanEvent, { type: 'plan-retried' }> {
  const reason =
    outcome.kind === 'fault' ? { problem: null, fault: outcome.fault } : { problem: outcome.problem, fault: null };
  return { type: 'plan-retried', ...reason, text: attempt.text, ...billOf(attempt), next };
}

/** The event for the last attempt, if it failed. */
export function failed(attempt: PlanAttempt, outcome: Failure, info: ConductorInfo): PlanEvent {
  const common = { text: attempt.text, ...billOf(attempt) };
  if (outcome.kind === 'fault') return { type: 'plan-failed', problem: null, fault: outcome.fault, ...common };
  const { problem } = outcome;
  const message = `${info.label} wrote no workflow that can run. ${problem.message} Run the question again, or choose another Conductor.`;
  return { type: 'plan-failed', problem, fault: fault('plan-failed', message), ...common };
}

/** The event for a candidate. A candidate that failed with a fault has no `problem`, because its text was not parsed. */
export function candidateEvent(
  candidate: number,
  { outcome, ...attempt }: PlanAttempt,
  score: CandidateScore | null,
): PlanEvent {
  const common = { type: 'plan-candidate', candidate, ...attempt, ...(score ? { score } : {}) } as const;
  switch (outcome.kind) {
    case 'valid':
      return { ...common, workflow: outcome.workflow, problem: null, thought: outcome.thought };
    case 'invalid':
      return { ...common, workflow: null, problem: outcome.problem };
    case 'fault':
      return { ...common, workflow: null, problem: null, fault: outcome.fault };
    default:
      return outcome satisfies never;
  }
}
