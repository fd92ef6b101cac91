/**
 * @file `applyEvent`: the one reducer that live view, replay, resume, import and analysis share. Pure and total: events
 * that do not fit (a step of a round that never began, a repeated sequence number) change nothing, so that a damaged
 * record still folds to all that can be known of it.
 */
import { chargedBy, isFree } from './account';
import type { EventBody, EventStamp, RunEvent, StoredEvent } from './events';
import { foldPlanEvent, isAsking } from './run-plan';
import { interruptSteps, foldStepEvent } from './run-steps';
import { replaceAt } from './replace';
import { heldPlan } from './person';
import type { Grade, Round, Run, RunStatus } from './state';

type Of<T extends EventBody['type']> = Extract<RunEvent, { type: T }>;

const KNOWN = {
  'run-started': 1,
  'round-started': 1,
  'plan-started': 1,
  'plan-waiting': 1,
  'plan-delta': 1,
  'plan-step-known': 1,
  'plan-retried': 1,
  'plan-candidate': 1,
  'plan-chosen': 1,
  'plan-finished': 1,
  'plan-failed': 1,
  'plan-held': 1,
  'plan-edited': 1,
  'plan-approved': 1,
  'step-queued': 1,
  'step-started': 1,
  'step-waiting': 1,
  'step-delta': 1,
  'step-retried': 1,
  'step-finished': 1,
  'step-failed': 1,
  'step-skipped': 1,
  'step-reused': 1,
  'step-discarded': 1,
  'step-cancelled': 1,
  'round-finished': 1,
  'cap-reached': 1,
  'run-finished': 1,
  'run-failed': 1,
  'run-cancelled': 1,
  'run-interrupted': 1,
  'run-resumed': 1,
  'run-graded': 1,
  'run-labelled': 1,
  'run-imported': 1,
} as const satisfies Record<EventBody['type'], 1>;

/** Whether this version knows what the event means. Stored events have passed the schema, so the type tells all. */
export function isKnownEvent(event: StoredEvent): event is RunEvent {
  return Object.hasOwn(KNOWN, event.type);
}

/**
 * Folds one event into a run. Start with `null`; the first event that counts is `run-started`.
 * @returns the run with what it shares unchanged, or `null` while nothing has started
 */
export function applyEvent(run: Run, event: StoredEvent): Run;
export function applyEvent(run: Run | null, event: StoredEvent): Run | null;
export function applyEvent(run: Run | null, event: StoredEvent): Run | null {
  if (!run) return isKnownEvent(event) && event.type === 'run-started' ? startRun(event) : null;
  if (event.runId !== run.id || event.seq <= run.lastSeq) return run;
  if (!isKnownEvent(event)) return { ...run, unknownEvents: run.unknownEvents + 1, lastSeq: event.seq };
  return foldKnown(stamp(run, event), event);
}

/** Folds events from the beginning. `null` if they hold no `run-started`. */
export function foldEvents(events: Iterable<StoredEvent>): Run | null {
  let run: Run | null = null;
  for (const event of events) run = applyEvent(run, event);
  return run;
}

function startRun(event: Of<'run-started'>): Run {
  return {
    id: event.runId,
    schema: event.schema,
    status: 'running',
    question: event.question,
    pool: event.pool,
    conductor: event.conductor,
    recursion: event.recursion,
    maxSteps: event.maxSteps,
    seed: event.seed,
    caps: event.caps,
    sampling: event.sampling,
    access: event.access ?? 'fine',
    candidates: event.candidates ?? 1,
    choice: event.choice ?? 'vote',
    approval: event.approval ?? false,
    planTemperature: event.planTemperature ?? null,
    parent: event.parent ?? null,
    startedAt: event.at,
    segments: [{ at: event.at, offset: 0 }],
    time: event.elapsed,
    rounds: [],
    answerKey: null,
    answer: null,
    spent: { calls: 0, input: 0, output: 0, usd: 0, billed: 0, unpriced: 0, estimated: false },
    fault: null,
    capReached: null,
    grade: null,
    labels: [],
    importedAt: null,
    lastSeq: event.seq,
    unknownEvents: 0,
  };
}

/** What is said of a run that has ended takes none of its time. */
const AFTERWARDS: ReadonlySet<EventBody['type']> = new Set(['run-graded', 'run-labelled', 'run-imported']);

/**
 * Moves the run's clock: a new segment begins where the last one ended, so that time away does not count. Nor does the time
 * for which the run waits for a person: until they have decided its clock stands still.
 */
function stamp(run: Run, event: EventStamp & { type: EventBody['type'] }): Run {
  if (AFTERWARDS.has(event.type)) return { ...run, lastSeq: event.seq };
  let { segments } = run;
  while (segments.length <= event.segment) segments = [...segments, { at: event.at, offset: run.time }];
  const segment = segments[event.segment] ?? { at: event.at, offset: 0 };
  if (heldPlan(run)) {
    const offset = run.time - event.elapsed;
    return { ...run, segments: replaceAt(segments, event.segment, { ...segment, offset }), lastSeq: event.seq };
  }
  const { offset } = segment;
  return { ...run, segments, time: Math.max(run.time, offset + event.elapsed), lastSeq: event.seq };
}

function foldKnown(run: Run, event: RunEvent): Run {
  switch (event.type) {
    case 'run-started':
      return run;
    case 'round-started':
      return event.round === run.rounds.length ? { ...run, rounds: [...run.rounds, newRound(run, event.round)] } : run;
    case 'plan-started':
    case 'plan-waiting':
    case 'plan-delta':
    case 'plan-step-known':
    case 'plan-retried':
    case 'plan-candidate':
    case 'plan-chosen':
    case 'plan-finished':
    case 'plan-failed':
    case 'plan-held':
    case 'plan-edited':
    case 'plan-approved':
      return foldPlanEvent(run, event);
    case 'step-queued':
    case 'step-started':
    case 'step-waiting':
    case 'step-delta':
    case 'step-retried':
    case 'step-finished':
    case 'step-failed':
    case 'step-skipped':
    case 'step-reused':
    case 'step-discarded':
    case 'step-cancelled':
      return foldStepEvent(run, event);
    case 'round-finished':
      return finishRound(run, event);
    case 'cap-reached':
      return { ...run, capReached: run.capReached ?? capOf(event) };
    case 'run-finished': {
      const answer = run.rounds[event.round]?.steps[event.step]?.output ?? null;
      return { ...run, status: 'finished', answerKey: { round: event.round, step: event.step }, answer };
    }
    case 'run-failed':
      return { ...endPlans(run, 'cancelled'), status: 'failed', fault: event.fault };
    case 'run-cancelled':
      return { ...endPlans(run, 'cancelled'), status: 'cancelled' };
    case 'run-interrupted':
      return isOver(run.status) ? run : { ...interruptSteps(endPlans(run, 'interrupted')), status: 'interrupted' };
    case 'run-resumed':
      return { ...release(run), status: 'running', fault: null, capReached: null, answerKey: null, answer: null };
    case 'run-graded':
      return gradeRun(run, { correct: event.correct, by: event.by, detail: event.detail });
    case 'run-labelled':
      return labelRun(run, event.label, event.on);
    case 'run-imported':
      return { ...run, importedAt: event.at };
    default:
      return event satisfies never;
  }
}

function capOf({ cap, limit, wanted, day }: Of<'cap-reached'>): NonNullable<Run['capReached']> {
  return day ? { cap, limit, wanted, day } : { cap, limit, wanted };
}

/** Whether a status is final unless a person goes on with the run. */
export function isOver(status: RunStatus): boolean {
  return status !== 'running';
}

function newRound(run: Run, round: number): Round {
  return {
    round,
    startedAt: run.time,
    endedAt: null,
    outcome: null,
    plan: null,
    lostPlans: [],
    steps: [],
    discarded: [],
  };
}

function finishRound(run: Run, event: Of<'round-finished'>): Run {
  const round = run.rounds[event.round];
  if (!round) return run;
  const last = round.steps.length - 1;
  const steps =
    event.outcome === 'recursed'
      ? round.steps.map((step, index) => (index === last ? { ...step, status: 'recursed' as const } : step))
      : round.steps;
  const finished = { ...round, steps, outcome: event.outcome, endedAt: run.time };
  return { ...run, rounds: replaceAt(run.rounds, event.round, finished) };
}

/** Nobody is waited for any more; where that is still wanted it is said again. */
function release(run: Run): Run {
  const held = run.rounds.at(-1);
  if (!held?.plan?.heldFor) return run;
  const plan = { ...held.plan, heldFor: null };
  return { ...run, rounds: replaceAt(run.rounds, held.round, { ...held, plan }) };
}

/** No plan goes on being written once its run has ended. What a model wrote of it has been charged, nobody knows how much. */
function endPlans(run: Run, status: 'cancelled' | 'interrupted'): Run {
  if (!run.rounds.some((round) => round.plan?.status === 'writing')) return run;
  let { unpriced } = run.spent;
  const rounds = run.rounds.map((round) => {
    if (round.plan?.status !== 'writing') return round;
    if (isAsking(round.plan) && !isFree(chargedBy(round.plan.conductor))) unpriced += 1;
    return { ...round, plan: { ...round.plan, status, endedAt: run.time } };
  });
  return { ...run, rounds, spent: { ...run.spent, unpriced } };
}

/** A person's grade outweighs a grader's, whichever came last. */
function gradeRun(run: Run, grade: Grade): Run {
  return run.grade?.by === 'person' && grade.by === 'grader' ? run : { ...run, grade };
}

function labelRun(run: Run, label: string, on: boolean): Run {
  const others = run.labels.filter((each) => each !== label);
  return { ...run, labels: on ? [...others, label] : others };
}
