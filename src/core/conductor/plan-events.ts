/** @file What an attempt of a language model came to, as plan events. */
import { fault, type Account, type CandidateScore, type ConductorInfo, type PlanEvent } from '../contract';
import type { Attempt, Outcome } from './attempt';

export type Failure = Exclude<Outcome, { kind: 'valid' }>;

/** The plan is what this attempt wrote. */
export function finished(attempt: Attempt, { workflow, thought }: Extract<Outcome, { kind: 'valid' }>): PlanEvent {
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

/** What an attempt came to, as its event says it. */
function billOf({ usage, cost, billed }: Attempt): Account {
  return billed ? { usage, cost, billed } : { usage, cost };
}

/** It is lost, and another comes. */
export function retried(
  attempt: Attempt,
  outcome: Failure,
  next: 'stricter' | 'fallback',
): Extract<PlanEvent, { type: 'plan-retried' }> {
  const reason =
    outcome.kind === 'fault' ? { problem: null, fault: outcome.fault } : { problem: outcome.problem, fault: null };
  return { type: 'plan-retried', ...reason, text: attempt.text, ...billOf(attempt), next };
}

/** It is lost, and there will be no other. */
export function failed(attempt: Attempt, outcome: Failure, info: ConductorInfo): PlanEvent {
  const told = { text: attempt.text, ...billOf(attempt) };
  if (outcome.kind === 'fault') return { type: 'plan-failed', problem: null, fault: outcome.fault, ...told };
  const { problem } = outcome;
  const message = `${info.label} wrote no workflow that can run. ${problem.message} Run it again, or choose another Conductor.`;
  return { type: 'plan-failed', problem, fault: fault('plan-failed', message), ...told };
}

/** A candidate lost to a fault has no problem: nothing was written that could be refused. */
export function candidateEvent(
  candidate: number,
  { outcome, ...attempt }: Attempt,
  score: CandidateScore | null,
): PlanEvent {
  const told = { type: 'plan-candidate', candidate, ...attempt, ...(score ? { score } : {}) } as const;
  switch (outcome.kind) {
    case 'valid':
      return { ...told, workflow: outcome.workflow, problem: null, thought: outcome.thought };
    case 'invalid':
      return { ...told, workflow: null, problem: outcome.problem };
    case 'fault':
      return { ...told, workflow: null, problem: null, fault: outcome.fault };
    default:
      return outcome satisfies never;
  }
}
