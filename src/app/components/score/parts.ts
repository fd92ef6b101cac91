/**
 * @file A run, or a plan before its run, as the parts that a score draws: which step, whose, when, in which state.
 * Times are ms of active time. Nothing here knows of places on the screen.
 */
import {
  workerOf,
  type Attempt,
  type ConductorInfo,
  type PoolWorker,
  type Round,
  type Run,
  type Step,
  type StepRun,
  type Workflow,
} from '../../../core/contract';

/** A plan that nobody has run. */
export interface PlanPreview {
  readonly conductor: ConductorInfo;
  readonly pool: readonly PoolWorker[];
  readonly workflow: Workflow;
  /** How long it took to write, ms; absent: no time at all. */
  readonly took?: number;
}

/** A figure with more notes than this cannot be read, and holds the page up. */
const MOST_PARTS = 120;
/** Failed attempts that are drawn within a note, the newest. */
const MOST_LOST = 20;

export interface StepPlace {
  readonly round: number;
  readonly step: number;
}

export type PartState =
  | 'planned'
  | 'waiting'
  | 'started'
  | 'streaming'
  | 'retrying'
  | 'finished'
  | 'reused'
  | 'handed-over'
  | 'failed'
  | 'stopped'
  | 'interrupted'
  | 'discarded'
  | 'not-run'
  /** In a replay: it will begin after the playhead. */
  | 'later';

export interface Part {
  readonly place: StepPlace;
  /** 1-based, counted through all rounds. */
  readonly number: number;
  readonly step: Step;
  readonly worker: PoolWorker | null;
  /** Played by the Conductor itself: the step that hands over to the next round. */
  readonly byConductor: boolean;
  readonly state: PartState;
  /** When its call began; `null` if it has not. */
  readonly begin: number | null;
  /** When it ended; while it plays, the moment that is shown. */
  readonly end: number | null;
  readonly firstToken: number | null;
  /** Attempts that failed and were made again. */
  readonly lost: readonly { readonly from: number; readonly to: number }[];
  readonly attempts: readonly Attempt[];
  readonly knownAt: number | null;
  /** How many steps must come before it: 0 if it sees nothing. */
  readonly level: number;
  /** Places in the list of parts of what it sees. */
  readonly sees: readonly number[];
}

/** The Conductor at work. */
export interface Planning {
  readonly round: number;
  readonly begin: number;
  readonly end: number;
  readonly state: 'writing' | 'finished' | 'failed' | 'stopped';
  readonly retries: number;
  /** Its call is held back. */
  readonly waits?: boolean;
}

/** Everything a score shows, in time but not yet in place. */
export interface Parts {
  readonly parts: readonly Part[];
  /** Steps behind those that are not drawn. */
  readonly omitted: number;
  readonly planning: readonly Planning[];
  readonly roundEnds: readonly { readonly round: number; readonly time: number }[];
  readonly hasConductor: boolean;
  /** Whether this is a run; else a plan that nothing was called for. */
  readonly ran: boolean;
  /** The moment shown, where it is not the end. */
  readonly playhead: number | null;
  /** It is at work now. */
  readonly goesOn: boolean;
  /** The last moment of the run as far as it goes. */
  readonly until: number;
}

/** Steps before a round, so that numbers go on through the rounds as people count them. */
export function stepNumber(run: Pick<Run, 'rounds'>, place: StepPlace): number {
  const before = run.rounds.slice(0, place.round).reduce((sum, round) => sum + round.steps.length, 0);
  return before + place.step + 1;
}

/** Depth of each step: 0 if it sees nothing, else one more than the deepest that it sees. */
export function levelsOf(steps: readonly Step[]): number[] {
  const levels: number[] = [];
  for (const step of steps)
    levels.push(step.access.reduce((deepest, seen) => Math.max(deepest, levels[seen] ?? -1), -1) + 1);
  return levels;
}

/** Fixed shapes and hand-written plans are not written while the run waits, so they get no stave for a Conductor. */
function conducts(conductor: ConductorInfo): boolean {
  return conductor.kind !== 'template' && conductor.kind !== 'by-hand';
}

export function partsOfPreview(preview: PlanPreview): Parts {
  const levels = levelsOf(preview.workflow.steps);
  const { steps } = preview.workflow;
  const parts = steps.slice(0, MOST_PARTS).map((step, index): Part => {
    const worker = preview.pool[step.worker] ?? null;
    return {
      place: { round: 0, step: index },
      number: index + 1,
      step,
      worker,
      byConductor: worker?.kind === 'conductor',
      state: 'planned',
      begin: null,
      end: null,
      firstToken: null,
      lost: [],
      attempts: [],
      knownAt: null,
      level: levels[index] ?? 0,
      sees: step.access,
    };
  });
  const hasConductor = conducts(preview.conductor) || parts.some((part) => part.byConductor);
  const planning: Planning[] = hasConductor
    ? [{ round: 0, begin: 0, end: preview.took ?? 0, state: 'finished', retries: 0 }]
    : [];
  const omitted = steps.length - parts.length;
  return { parts, omitted, planning, roundEnds: [], hasConductor, ran: false, playhead: null, goesOn: false, until: 0 };
}

/**
 * @param now the present moment of a run that goes on; default: its newest event
 * @param upTo for replay: nothing after this moment has happened yet
 */
export function partsOfRun(run: Run, { now, upTo }: { now?: number | undefined; upTo?: number | undefined }): Parts {
  const running = run.status === 'running';
  const present = upTo ?? Math.max(run.time, running ? (now ?? 0) : 0);
  const until = Math.max(run.time, present);
  const parts: Part[] = [];
  // A round without steps is drawn, too.
  const rounds = run.rounds.slice(0, MOST_PARTS);
  for (const round of rounds) {
    if (parts.length >= MOST_PARTS) break;
    parts.push(...partsOfRound(run, round, parts.length, present, upTo !== undefined));
  }
  const omitted = run.rounds.reduce((sum, { steps }) => sum + steps.length, 0) - parts.length;
  const planning = rounds.flatMap((round) => planningOf(round, present));
  const roundEnds = rounds.flatMap((round, index) =>
    round.endedAt !== null && round.endedAt <= present && index < run.rounds.length - 1
      ? [{ round: round.round, time: round.endedAt }]
      : [],
  );
  const hasConductor = conducts(run.conductor) || parts.some((part) => part.byConductor);
  const playhead = upTo ?? (running ? present : null);
  return {
    parts,
    omitted,
    planning,
    roundEnds,
    hasConductor,
    ran: true,
    playhead,
    goesOn: running && upTo === undefined,
    until,
  };
}

function partsOfRound(run: Run, round: Round, before: number, present: number, replay: boolean): Part[] {
  const levels = levelsOf(round.steps.map((step) => step.step));
  return round.steps.slice(0, MOST_PARTS - before).map((stepRun, index) => {
    const worker = workerOf(run, stepRun) ?? null;
    return {
      place: { round: round.round, step: index },
      number: before + index + 1,
      step: stepRun.step,
      worker,
      byConductor: worker?.kind === 'conductor',
      level: levels[index] ?? 0,
      sees: stepRun.step.access.map((seen) => before + seen),
      knownAt: stepRun.knownAt,
      ...playedBy(stepRun, round, present, replay),
    };
  });
}

type Played = Pick<Part, 'state' | 'begin' | 'end' | 'firstToken' | 'lost' | 'attempts'>;

function playedBy(stepRun: StepRun, round: Round, present: number, replay: boolean): Played {
  const attempts = stepRun.attempts.filter((attempt) => attempt.startedAt <= present);
  const last = attempts.at(-1);
  if (!last) return notPlayed(stepRun, round, present);
  const ended = last.endedAt !== null && last.endedAt <= present;
  const more = stepRun.attempts.length > attempts.length || (!replay && isRetrying(stepRun));
  const state = ended ? endState(last, more) : liveState(last, present);
  const waits = state === 'retrying' || !ended;
  return {
    state,
    begin: attempts[0]?.startedAt ?? last.startedAt,
    end: waits ? present : last.endedAt,
    firstToken: last.firstTokenAt !== null && last.firstTokenAt <= present ? last.firstTokenAt : null,
    lost: lostSpans(attempts, state),
    attempts,
  };
}

function lostSpans(attempts: readonly Attempt[], state: PartState): { from: number; to: number }[] {
  const lost = state === 'retrying' ? attempts : attempts.slice(0, -1);
  return lost
    .slice(-MOST_LOST)
    .flatMap(({ startedAt, endedAt }) => (endedAt === null ? [] : [{ from: startedAt, to: endedAt }]));
}

function liveState(attempt: Attempt, present: number): PartState {
  if (attempt.status === 'interrupted') return 'interrupted';
  return attempt.firstTokenAt !== null && attempt.firstTokenAt <= present ? 'streaming' : 'started';
}

/** Between two attempts: the last one failed before its first word, and the next has not left yet. */
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

/** A step that has made no call by now. */
function notPlayed(stepRun: StepRun, round: Round, present: number): Played {
  const none = { firstToken: null, lost: [], attempts: [] };
  const nowhere = { begin: null, end: null, ...none };
  const first = stepRun.attempts[0];
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
    case 'recursed':
      return at(round.endedAt ?? stepRun.knownAt, 'handed-over');
    case 'failed':
      return at(stepRun.queuedAt ?? stepRun.knownAt, 'failed');
    case 'skipped':
    case 'discarded':
    case 'cancelled':
    case 'interrupted':
      return { state: 'not-run', ...nowhere };
    default:
      return stepRun.status satisfies never;
  }
}

function planningOf(round: Round, present: number): Planning[] {
  const { plan } = round;
  if (!plan || plan.startedAt > present) return [];
  const ended = plan.endedAt !== null && plan.endedAt <= present;
  const ends = {
    writing: 'stopped',
    finished: 'finished',
    failed: 'failed',
    interrupted: 'stopped',
    cancelled: 'stopped',
  };
  const state = ended ? (ends[plan.status] as Planning['state']) : 'writing';
  const end = ended ? (plan.endedAt ?? present) : present;
  return [
    { round: round.round, begin: plan.startedAt, end, state, retries: plan.retries.length, waits: plan.wait !== null },
  ];
}
