/**
 * @file `applyEvent`: the single reducer for live view, replay, resume, import and analysis. It is pure and never throws. Events
 * that do not fit, such as a step of a round that never began, change nothing. So the intact events of a damaged run can still be
 * used.
 */
import { addAloneAnswer, addComparison } from './fold-comparison';
import { chargedBy, isFree } from '../money/account';
import { isMarkedConfidential } from './confidential';
import type { Annotation, EventBody, RunEvent, StoredEvent } from './events';
import { isKnownEvent, traitsOf } from './event-traits';
import { foldPlanEvent, isAwaitingModel } from './fold-plan';
import { interruptSteps, foldStepEvent } from './fold-steps';
import { append, foldTogether, replaceAt } from './fold-arrays';
import { heldPlan } from './decision';
import { addJudged } from './judge-call';
import { settingsOf } from './settings';
import { isOwnGrade, type Round, type Run, type RunStatus, type StepRun } from './state';

type Of<T extends EventBody['type']> = Extract<RunEvent, { type: T }>;

/**
 * Folds one event into a run. Begin with `null` as the run. Events before `run-started` are ignored.
 * @returns the new run, which shares unchanged parts with the old one. `null` before the run has started
 */
export function applyEvent(run: Run, event: StoredEvent): Run;
export function applyEvent(run: Run | null, event: StoredEvent): Run | null;
export function applyEvent(run: Run | null, event: StoredEvent): Run | null {
  if (!run) return isKnownEvent(event) && event.type === 'run-started' ? startRun(event) : null;
  if (event.runId !== run.id || event.seq <= run.lastSeq) return run;
  if (!isKnownEvent(event)) return { ...run, unknownEvents: run.unknownEvents + 1, lastSeq: event.seq };
  return foldKnown(stamp(run, event), event);
}

/** Folds events from the beginning, in linear time. `null` if there is no `run-started` among them. */
export function foldEvents(events: Iterable<StoredEvent>): Run | null {
  return applyEvents(null, events);
}

/**
 * Folds several events into a run in linear time. The result is the same as that of `applyEvent` for one event after another.
 * @param folded called after each event with the active time of the run in ms. The time is 0 before the run has started
 */
export function applyEvents(
  before: Run | null,
  events: Iterable<StoredEvent>,
  folded?: (time: number) => void,
): Run | null {
  return foldTogether(() => {
    let run = before;
    for (const event of events) {
      run = applyEvent(run, event);
      folded?.(run?.time ?? 0);
    }
    return run;
  });
}

function startRun(event: Of<'run-started'>): Run {
  return {
    ...settingsOf(event),
    id: event.runId,
    schema: event.schema,
    status: 'running',
    parent: event.parent ?? null,
    batch: event.batch ?? null,
    resumedFor: [],
    isConfidential: isMarkedConfidential(event),
    startedAt: event.at,
    segments: [{ at: event.at, offset: 0 }],
    time: event.elapsed,
    rounds: [],
    answerKey: null,
    answer: null,
    early: null,
    spent: { calls: 0, input: 0, output: 0, usd: 0, billed: 0, unpriced: 0, estimated: false },
    fault: null,
    capReached: null,
    raised: {},
    grade: null,
    judged: [],
    compared: [],
    aloneAnswer: null,
    vote: null,
    labels: [],
    annotation: NO_ANNOTATION,
    importedAt: null,
    lastSeq: event.seq,
    unknownEvents: 0,
  };
}

/**
 * Advances the run's clock. Each start or resumption of the run begins a segment. In a new segment, the clock continues from
 * its last value, so the real time between two segments does not count. The clock also stops while the run waits for a decision
 * of the user.
 */
function stamp(run: Run, event: RunEvent): Run {
  if (traitsOf(event).followsEnd) return { ...run, lastSeq: event.seq };
  let { segments } = run;
  while (segments.length <= event.segment) segments = append(segments, { at: event.at, offset: run.time });
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
      return event.round === run.rounds.length
        ? { ...run, rounds: append(run.rounds, newRound(run, event.round)) }
        : run;
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
    case 'step-settled':
    case 'step-reused':
    case 'step-discarded':
    case 'step-cancelled':
      return foldStepEvent(run, event);
    case 'round-finished':
      return finishRound(run, event);
    case 'cap-reached':
      return { ...run, capReached: run.capReached ?? capOf(event) };
    case 'answer-requested': {
      const { round, step, combinedBy } = event;
      const combined = combinedBy === undefined ? {} : { combinedBy };
      return {
        ...release(endPlans(run, 'cancelled')),
        early: { round, step, ...combined, during: run.rounds.length - 1 },
      };
    }
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
      return resumeRun(run, event);
    case 'run-graded':
      return gradeRun(judgeRun(run, event), event);
    case 'answers-compared':
      return addComparison(run, event);
    case 'alone-answered':
      return addAloneAnswer(run, event);
    case 'pair-compared':
      return { ...run, vote: run.vote ?? { preferred: event.preferred, at: event.at } };
    case 'run-labelled':
      return labelRun(run, event.label, event.on);
    case 'run-annotated':
      return annotateRun(run, event);
    case 'run-imported':
      return {
        ...run,
        importedAt: event.at,
        raised: {},
        judged: [],
        grade: run.grade && { ...run.grade, imported: true },
      };
    default:
      return event satisfies never;
  }
}

function resumeRun(run: Run, event: Of<'run-resumed'>): Run {
  const { batch, pool, conductor, caps, sampling, maxSteps, candidates } = event;
  const { usd, unpriced } = run.spent;
  const changed = {
    resumedFor: batch === undefined ? run.resumedFor : append(run.resumedFor, { batchId: batch, usd, unpriced }),
    pool: pool ?? run.pool,
    conductor: conductor ?? run.conductor,
    caps: caps ?? run.caps,
    sampling: sampling ?? run.sampling,
    maxSteps: maxSteps ?? run.maxSteps,
    candidates: candidates ?? run.candidates,
    raised: { ...run.raised, ...event.raised },
  };
  const open = { status: 'running', fault: null, capReached: null, answerKey: null, answer: null } as const;
  return { ...release(run), ...changed, ...open };
}

function capOf({ cap, limit, wanted, day }: Of<'cap-reached'>): NonNullable<Run['capReached']> {
  return day ? { cap, limit, wanted, day } : { cap, limit, wanted };
}

/** Whether a run with this status has ended. Resuming such a run makes it `running` again. */
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
  // The last step becomes `recursed` only if its worker is the Conductor. In the recursion mode `always`, another
  // round may also follow a last step of another worker. That step keeps its status.
  const handsOver = ({ index, step }: StepRun) => index === last && run.pool[step.worker]?.kind === 'conductor';
  const steps =
    event.outcome === 'recursed'
      ? round.steps.map((step) => (handsOver(step) ? { ...step, status: 'recursed' as const } : step))
      : round.steps;
  const finished = { ...round, steps, outcome: event.outcome, endedAt: run.time };
  return { ...run, rounds: replaceAt(run.rounds, event.round, finished) };
}

/** Ends the plan's wait for the user. If the resumed run has to wait again, a later event holds the plan again. */
function release(run: Run): Run {
  const held = run.rounds.at(-1);
  if (!held?.plan?.heldFor) return run;
  const plan = { ...held.plan, heldFor: null };
  return { ...run, rounds: replaceAt(run.rounds, held.round, { ...held, plan }) };
}

/** Ends unfinished plans when their run ends. If a plan awaits a model call, the cost of this call is unknown. */
function endPlans(run: Run, status: 'cancelled' | 'interrupted'): Run {
  if (!run.rounds.some((round) => round.plan?.status === 'writing')) return run;
  let { unpriced } = run.spent;
  const rounds = run.rounds.map((round) => {
    if (round.plan?.status !== 'writing') return round;
    if (isAwaitingModel(round.plan) && !isFree(chargedBy(round.plan.conductor))) unpriced += 1;
    return { ...round, plan: { ...round.plan, status, endedAt: run.time } };
  });
  return { ...run, rounds, spent: { ...run.spent, unpriced } };
}

function judgeRun(run: Run, { judge, correct, detail }: Of<'run-graded'>): Run {
  return judge ? { ...run, judged: addJudged(run.judged, { ...judge, correct, detail }) } : run;
}

/**
 * A grade that the user gave in this browser takes precedence over graders' grades, even over newer ones. An
 * imported grade has no such precedence, even if a user gave it: any newer grade replaces it. A judge's call
 * without a verdict doesn't change the grade.
 */
function gradeRun(run: Run, { correct, by, detail }: Of<'run-graded'>): Run {
  if (by === 'grader' && (isOwnGrade(run.grade) || correct === null)) return run;
  return { ...run, grade: { correct, by, detail } };
}

const NO_ANNOTATION: Annotation = { title: '', note: '', starred: false };

function annotateRun(run: Run, { title, note, starred }: Of<'run-annotated'>): Run {
  const before = run.annotation;
  const annotation = {
    title: title ?? before.title,
    note: note ?? before.note,
    starred: starred ?? before.starred,
  };
  return { ...run, annotation };
}

function labelRun(run: Run, label: string, on: boolean): Run {
  const others = run.labels.filter((each) => each !== label);
  return { ...run, labels: on ? [...others, label] : others };
}
