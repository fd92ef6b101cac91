/**
 * @file Makes runs from a script. For each step, the script gives the times at which the step becomes known,
 * is called, sends its first text and ends. All times are in ms since the run started.
 */
import {
  fault,
  foldEvents,
  type EventBody,
  type FaultCode,
  type PoolWorker,
  type Role,
  type Run,
  type RunStarted,
  type Step,
  type WaitingFor,
} from '../../src/core/contract';
import { poolWorker, runStarted, stampEvents } from '../fixtures/run-events';

export interface ScriptedStep {
  readonly worker: number;
  readonly subtask?: string;
  readonly role?: Role;
  readonly access?: readonly number[];
  readonly seesEarlier?: boolean;
  readonly known?: number;
  /** Absent: the worker is never called. */
  readonly start?: number;
  readonly first?: number;
  readonly end?: number;
  readonly output?: string;
  readonly failed?: FaultCode;
  /** Time at which the first call fails. The second call starts half a second later. */
  readonly lostAt?: number;
  readonly skippedBecause?: number;
  /** Why the call waits, and when it is sent. Without `sentAt`, the call keeps waiting. */
  readonly wait?: { readonly for: WaitingFor; readonly delay: number | null; readonly sentAt?: number };
}

export interface ScriptedRound {
  readonly planStart?: number;
  readonly planEnd?: number;
  readonly steps: readonly ScriptedStep[];
  readonly ended?: number;
  readonly recursed?: boolean;
}

export interface Script {
  readonly rounds: readonly ScriptedRound[];
  readonly pool?: readonly PoolWorker[];
  readonly start?: Partial<RunStarted>;
  /** `finished`: the last step of the last round gives the answer. */
  readonly end?: 'finished' | 'failed' | 'cancelled' | 'interrupted';
  readonly endedAt?: number;
}

type Timed = EventBody & { elapsed: number };

export const POOL: readonly PoolWorker[] = [0, 1, 2, 3, 4].map((index) => poolWorker(index));

export function scriptedRun(script: Script): Run {
  const events: Timed[] = [{ ...runStarted({ pool: script.pool ?? POOL, ...script.start }), elapsed: 0 }];
  script.rounds.forEach((round, index) => events.push(...roundEvents(round, index)));
  const last = Math.max(...events.map((event) => event.elapsed));
  const endedAt = script.endedAt ?? last;
  const round = script.rounds.length - 1;
  if (script.end === 'finished') {
    events.push({ type: 'round-finished', round, outcome: 'answered', elapsed: endedAt });
    events.push({ type: 'run-finished', round, step: (script.rounds[round]?.steps.length ?? 1) - 1, elapsed: endedAt });
  }
  if (script.end === 'failed') events.push({ type: 'run-failed', fault: refusal('unauthorized'), elapsed: endedAt });
  if (script.end === 'cancelled') events.push({ type: 'run-cancelled', elapsed: endedAt });
  if (script.end === 'interrupted') events.push({ type: 'run-interrupted', elapsed: endedAt });
  const inOrder = events.map((event, index) => ({ event, index }));
  inOrder.sort((a, b) => a.event.elapsed - b.event.elapsed || a.index - b.index);
  const run = foldEvents(stampEvents(inOrder.map(({ event }) => event)));
  if (!run) throw new Error('The script has no run.');
  return run;
}

function refusal(code: FaultCode) {
  return fault(code, 'api.example.com refused the key of Birch. Paste one that works.', { status: 401 });
}

function roundEvents(round: ScriptedRound, index: number): Timed[] {
  const steps = round.steps.map((each): Step => {
    const {
      worker,
      subtask = 'Find one exact way. Build a large product first.',
      role,
      access = [],
      seesEarlier,
    } = each;
    return { worker, subtask, access, ...(role ? { role } : {}), ...(seesEarlier ? { seesEarlier } : {}) };
  });
  const begin = round.planStart ?? 0;
  const planEnd = round.planEnd ?? begin + 20;
  const events: Timed[] = [
    { type: 'round-started', round: index, elapsed: begin },
    { type: 'plan-started', round: index, conductor: runStarted().conductor, messages: [], elapsed: begin },
  ];
  round.steps.forEach((each, step) => {
    const planned = steps[step];
    if (each.known === undefined || !planned) return;
    events.push({ type: 'plan-step-known', round: index, index: step, step: planned, elapsed: each.known });
  });
  events.push({
    type: 'plan-finished',
    round: index,
    workflow: { steps },
    thought: '',
    text: '',
    source: 'conductor',
    usage: null,
    cost: null,
    finishReason: null,
    elapsed: planEnd,
  });
  round.steps.forEach((each, step) => events.push(...stepEvents(each, { round: index, step, attempt: 0 }, planEnd)));
  if (round.ended !== undefined) {
    const outcome = round.recursed ? 'recursed' : 'answered';
    events.push({ type: 'round-finished', round: index, outcome, elapsed: round.ended });
  }
  return events;
}

function stepEvents(
  each: ScriptedStep,
  key: { round: number; step: number; attempt: number },
  planEnd: number,
): Timed[] {
  const events: Timed[] = [];
  const spent = { usage: { input: 400, output: 120 }, cost: 0.0004 };
  if (each.skippedBecause !== undefined) {
    return [{ type: 'step-skipped', ...key, because: each.skippedBecause, elapsed: each.known ?? planEnd }];
  }
  if (each.start === undefined) return events;
  const messages = [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }];
  const called = {
    type: 'step-started' as const,
    workerId: poolWorker(each.worker).id,
    messages,
    sha256: 'a'.repeat(64),
  };
  events.push({ type: 'step-queued', ...key, elapsed: each.known ?? each.start });
  events.push({ ...called, ...key, elapsed: each.start });
  if (each.wait) {
    const { sentAt, delay } = each.wait;
    events.push({ type: 'step-waiting', ...key, for: each.wait.for, delay, elapsed: each.start });
    if (sentAt !== undefined) events.push({ type: 'step-waiting', ...key, for: null, delay: null, elapsed: sentAt });
  }
  let attempt = 0;
  if (each.lostAt !== undefined) {
    const lost = { fault: fault('rate-limited', 'Too many calls.'), usage: null, cost: null, delay: 500 };
    events.push({ type: 'step-retried', ...key, ...lost, elapsed: each.lostAt });
    attempt = 1;
    events.push({ ...called, ...key, attempt, elapsed: each.lostAt + 500 });
  }
  const output = each.output ?? 'Seven times seventy-five is 525, and twelve more make 537.';
  if (each.first !== undefined) {
    events.push({ type: 'step-delta', ...key, attempt, channel: 'content', text: output, elapsed: each.first });
  }
  const result = { output: each.first === undefined ? '' : output, reasoning: '', ...spent };
  if (each.end === undefined) return events;
  if (each.failed) {
    events.push({ type: 'step-failed', ...key, attempt, ...result, fault: refusal(each.failed), elapsed: each.end });
  } else {
    events.push({ type: 'step-finished', ...key, attempt, ...result, finishReason: 'stop', elapsed: each.end });
  }
  return events;
}

const solve = { role: 'solve' as const };

/** Two workers solve while the Conductor is still writing the plan. Then one worker verifies, and one decides. */
export function finishedRun(): Run {
  return scriptedRun({ rounds: [{ planEnd: 7400, steps: FOUR }], end: 'finished', endedAt: 15000 });
}

export const FOUR: readonly ScriptedStep[] = [
  { worker: 1, ...solve, known: 2100, start: 2100, first: 2600, end: 7900 },
  { worker: 4, ...solve, known: 3600, start: 3600, first: 4400, end: 9200 },
  { worker: 2, role: 'verify', access: [0, 1], known: 5600, start: 9200, first: 9700, end: 12100 },
  { worker: 0, role: 'decide', access: [0, 2], known: 7300, start: 12100, first: 12500, end: 15000 },
];
