/** @file The state and times of a step at one moment of a run, live or in a replay. */
import type { Attempt, Round, StepRun } from '../../core/contract';
import type { Part, PartState, PartWait, Pause } from './part';

/** Maximum number of failed attempts drawn within a note. Only the newest are drawn. */
const MOST_FAILURES = 20;

/** Whether any attempt was sent, is still running, or was retried. */
export function hasBegun({ attempts }: Pick<StepRun, 'attempts'>): boolean {
  return attempts.some(({ leftAt, endedAt, status }) => leftAt !== null || endedAt === null || status === 'retried');
}

type Played = Pick<Part, 'state' | 'begin' | 'end' | 'firstToken' | 'failures' | 'pauses' | 'attempts' | 'wait'>;

export function playedBy(stepRun: StepRun, round: Round, present: number, replay: boolean): Played {
  if (!hasBegun(stepRun)) return notPlayed(stepRun, round, present);
  const attempts = stepRun.attempts.filter((attempt) => attempt.startedAt <= present);
  const last = attempts.at(-1);
  if (!last) return notPlayed(stepRun, round, present);
  const begin = attempts.find(({ leftAt }) => leftAt !== null && leftAt <= present)?.leftAt ?? null;
  if (begin === null) return notSent(stepRun, attempts, last, present);
  const ended = last.endedAt !== null && last.endedAt <= present;
  const more = stepRun.attempts.length > attempts.length || (!replay && isRetrying(stepRun));
  const state = ended ? endState(last, more) : liveState(last, present);
  const waits = state === 'retrying' || !ended;
  return {
    state,
    begin,
    end: waits ? present : last.endedAt,
    firstToken: last.firstTokenAt !== null && last.firstTokenAt <= present ? last.firstTokenAt : null,
    failures: failureSpans(attempts, state),
    pauses: pausesOf(attempts, state, present),
    attempts,
    wait: waits ? waitOf(last, present) : null,
  };
}

/** The state of a step if none of its calls has been sent by the moment shown. */
function notSent(stepRun: StepRun, attempts: readonly Attempt[], last: Attempt, present: number): Played {
  const pauses = pausesOf(attempts, 'waiting', present);
  const nothing = { firstToken: null, failures: [], pauses, attempts, wait: waitOf(last, present) };
  const nowhere = { begin: null, end: null, ...nothing };
  if (last.endedAt === null || last.endedAt > present) {
    // In a replay, the run already contains the later moment when the call was sent.
    const sentAt = stepRun.attempts.find(({ leftAt }) => leftAt !== null)?.leftAt ?? null;
    const end = stepRun.attempts.at(-1)?.endedAt ?? sentAt;
    return { state: 'waiting', begin: sentAt, end: sentAt === null ? null : end, ...nothing };
  }
  const state = endState(last, true);
  if (state === 'failed') return { state, begin: last.endedAt, end: last.endedAt, ...nothing };
  return { state: state === 'retrying' ? 'waiting' : 'not-run', ...nowhere };
}

/** What a call waits for at a moment. `null` if this is unknown. */
function waitOf({ wait, retryAt }: Attempt, present: number): PartWait | null {
  if (wait !== null) return { for: wait.for, left: leftUntil(wait.until, present) };
  return retryAt === null ? null : { for: 'retry', left: leftUntil(retryAt, present) };
}

function leftUntil(until: number | null, present: number): number | null {
  return until === null || until <= present ? null : until - present;
}

function failureSpans(attempts: readonly Attempt[], state: PartState): { from: number; to: number }[] {
  const failures = state === 'retrying' ? attempts : attempts.slice(0, -1);
  return failures
    .slice(-MOST_FAILURES)
    .flatMap(({ leftAt, endedAt }) => (endedAt === null || leftAt === null ? [] : [{ from: leftAt, to: endedAt }]));
}

/** Pauses shorter than this many ms aren't drawn. */
const SHORTEST_PAUSE = 50;

function pausesOf(attempts: readonly Attempt[], state: PartState, present: number): Pause[] {
  const pauses = attempts.slice(-MOST_FAILURES).flatMap((attempt, index, newest): Pause[] => {
    const { startedAt, leftAt, endedAt, waitedFor = null } = attempt;
    const sentAt = Math.min(leftAt ?? endedAt ?? present, present);
    const next = newest[index + 1];
    const isLast = next === undefined;
    const resumes = isLast ? (state === 'retrying' ? present : null) : next.startedAt;
    return [
      { from: startedAt, to: sentAt, for: waitedFor },
      ...(endedAt === null || resumes === null ? [] : [{ from: endedAt, to: resumes, for: 'retry' as const }]),
    ];
  });
  return pauses.filter(({ from, to }) => to - from >= SHORTEST_PAUSE);
}

function liveState(attempt: Attempt, present: number): PartState {
  if (attempt.status === 'interrupted') return 'interrupted';
  if (attempt.leftAt === null || attempt.leftAt > present) return 'waiting';
  return attempt.firstTokenAt !== null && attempt.firstTokenAt <= present ? 'streaming' : 'started';
}

/** Whether a step waits to send a call. */
export function isCallWaiting(stepRun: StepRun): boolean {
  return isRetrying(stepRun) || (stepRun.status === 'running' && stepRun.attempts.at(-1)?.leftAt === null);
}

/** Whether a step is between two attempts: one failed before its first token, and the next has not started. */
export function isRetrying(stepRun: StepRun): boolean {
  return stepRun.status === 'queued' && stepRun.attempts.at(-1)?.status === 'retried';
}

function endState(attempt: Attempt, more: boolean): PartState {
  switch (attempt.status) {
    case 'finished':
      return 'finished';
    case 'retried':
      return more ? 'retrying' : 'stopped';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'stopped';
    case 'discarded':
      return 'discarded';
    case 'interrupted':
      return 'interrupted';
    case 'running':
      return 'streaming';
    default:
      return attempt.status satisfies never;
  }
}

/** The state of a step that has started no call by the moment shown. */
function notPlayed(stepRun: StepRun, round: Round, present: number): Played {
  const none = { firstToken: null, failures: [], pauses: [], attempts: [], wait: null };
  const nowhere = { begin: null, end: null, ...none };
  const first = hasBegun(stepRun) ? stepRun.attempts[0] : undefined;
  if (first) {
    const end = stepRun.attempts.at(-1)?.endedAt ?? first.startedAt;
    return { state: 'later', begin: first.startedAt, end, ...none };
  }
  const at = (moment: number, state: PartState): Played =>
    ({ state: moment > present ? 'later' : state, begin: moment, end: moment, ...none }) satisfies Played;
  switch (stepRun.status) {
    case 'planned':
      return { state: 'planned', ...nowhere };
    case 'queued':
    case 'running':
      return { state: 'waiting', ...nowhere };
    case 'reused':
    case 'finished':
      return at(stepRun.knownAt, 'reused');
    case 'settled':
      return at(stepRun.settled?.at ?? stepRun.knownAt, 'settled');
    case 'recursed':
      return at(round.endedAt ?? stepRun.knownAt, 'handed-over');
    case 'failed':
      return { state: stepRun.knownAt > present ? 'later' : 'failed', ...nowhere };
    case 'skipped':
    case 'discarded':
    case 'cancelled':
    case 'interrupted':
      return { state: 'not-run', ...nowhere };
    default:
      return stepRun.status satisfies never;
  }
}
