/**
 * @file The parts of a score, which is the drawing of a run or a plan. Each part is a step with its worker, times and state.
 * Times are active time in ms: time since the run started, without interruptions and without waiting for the user.
 */
import {
  stepsBefore,
  workerOf,
  type ConductorInfo,
  type PoolWorker,
  type Round,
  type RoundOutcome,
  type Run,
  type Step,
  type Workflow,
} from '../../core/contract';
import type { Part, StepPlace } from './part';
import { playedBy } from './played-step';

export type { Part, PartState, PartWait, StepPlace } from './part';

/** A plan that hasn't run. */
export interface PlanPreview {
  readonly conductor: ConductorInfo;
  readonly pool: readonly PoolWorker[];
  readonly workflow: Workflow;
  /** How long the Conductor took to write the plan, ms. Default: 0. */
  readonly planMs?: number;
}

/** Maximum number of steps that are drawn. */
const MOST_PARTS = 120;

/** One planning phase of the Conductor. */
export interface Planning {
  readonly round: number;
  readonly begin: number;
  readonly end: number;
  readonly state: 'writing' | 'finished' | 'failed' | 'stopped';
  readonly retries: number;
  /** Whether the call that writes the plan has not been sent yet, for example because of a rate limit. */
  readonly waits?: boolean;
}

/** A round of a run. */
export interface RoundSpan {
  readonly round: number;
  readonly begin: number;
  readonly end: number;
  readonly steps: number;
  /** `null`: the round has not ended by the moment shown. */
  readonly outcome: RoundOutcome | null;
}

/** Everything that a score shows, without positions on the screen. */
export interface Parts {
  readonly parts: readonly Part[];
  /** Number of further steps that aren't drawn. */
  readonly omitted: number;
  readonly planning: readonly Planning[];
  readonly roundEnds: readonly { readonly round: number; readonly time: number }[];
  /** The rounds that have begun. Empty if the run has only one round. */
  readonly rounds: readonly RoundSpan[];
  readonly hasConductor: boolean;
  /** Whether this is a run, not just a plan. */
  readonly ran: boolean;
  /** The moment shown. `null` for a plan, and for a run that has ended and is not replayed. */
  readonly playhead: number | null;
  /** Whether the run is running now and the score is not a replay. */
  readonly isLive: boolean;
  /** The last moment of the run so far. 0 for a plan. */
  readonly until: number;
}

/** The 1-based number of a step, counted through all rounds. */
export function stepNumber(run: Pick<Run, 'rounds'>, place: StepPlace): number {
  return stepsBefore(run, place.round) + place.step + 1;
}

/** Depth of each step: 0 if it sees no steps, else one more than the deepest step it sees. */
export function levelsOf(steps: readonly Step[]): number[] {
  const levels: number[] = [];
  for (const step of steps)
    levels.push(step.access.reduce((deepest, seen) => Math.max(deepest, levels[seen] ?? -1), -1) + 1);
  return levels;
}

/** Whether a Conductor gets a line in the score. Templates and hand-written plans get none. */
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
      failures: [],
      pauses: [],
      attempts: [],
      wait: null,
      knownAt: null,
      level: levels[index] ?? 0,
      sees: step.access,
    };
  });
  const hasConductor = conducts(preview.conductor) || parts.some((part) => part.byConductor);
  const planning: Planning[] = hasConductor
    ? [{ round: 0, begin: 0, end: preview.planMs ?? 0, state: 'finished', retries: 0 }]
    : [];
  const omitted = steps.length - parts.length;
  const none = { roundEnds: [], rounds: [], playhead: null, isLive: false, until: 0 };
  return { parts, omitted, planning, hasConductor, ran: false, ...none };
}

/**
 * The parts of a run.
 * @param now the current time of a live run. Default: its newest event
 * @param upTo for replay: ignores everything after this moment
 */
export function partsOfRun(run: Run, { now, upTo }: { now?: number | undefined; upTo?: number | undefined }): Parts {
  const running = run.status === 'running';
  const present = upTo ?? Math.max(run.time, running ? (now ?? 0) : 0);
  const until = Math.max(run.time, present);
  const parts: Part[] = [];
  // The number of rounds is limited too, because a round without steps also takes space.
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
    rounds: run.rounds.length > 1 ? rounds.flatMap((round) => roundSpan(round, present)) : [],
    hasConductor,
    ran: true,
    playhead,
    isLive: running && upTo === undefined,
    until,
  };
}

function roundSpan({ round, startedAt, endedAt, steps, outcome }: Round, present: number): RoundSpan[] {
  if (startedAt > present) return [];
  const ended = endedAt !== null && endedAt <= present;
  const end = ended ? endedAt : present;
  return [{ round, begin: startedAt, end, steps: steps.length, outcome: ended ? outcome : null }];
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
