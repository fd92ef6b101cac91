/**
 * @file Runs the units of a batch whose workers are simulated or recorded. Many units run at once on virtual time (a clock that
 * skips all waiting), and their runs are stored in bulk. In the page, this code runs in a Web Worker. So it doesn't block the
 * main thread, and is not slowed down while the tab is in the background.
 */
import {
  foldEvents,
  GRADERS,
  isOver,
  type Batch,
  type BatchStore,
  type ConductorKind,
  type GraderKind,
  type Method,
  type Outcome,
  type RunEvent,
  type RunStore,
  type StoredEvent,
  type Unit,
} from '../../contract';
import { startOf, type NewRun } from '../../runs/new-run';
import { playRun, type PlayDependencies } from '../../runs/play-run';
import { followingEvent, type OpenedRun } from '../../runs/saved-runs';
import { missingTask, UnitGrader, unstartedGrading, type UnitGraders } from './grading';
import { isSettled } from './live-units';
import { outcomeOf } from './outcome-of';
import { UnitWorks, type UnitWork, type UnitWorkOptions } from './unit-work';

/** Runs units and stores their runs and outcomes. */
export interface UnitPlayer {
  /**
   * Yields outcomes once they are stored. Throws a `FaultError` if storage fails, and an `AbortError` on abort. After
   * an abort, units without an outcome can be passed to `play` again. If the run of such a unit was stored, the run is
   * reused. Otherwise an equal run is made.
   */
  play(batch: Batch, units: readonly Unit[], given: PlayGiven, signal: AbortSignal): PlayedUnits;
}
export interface PlayGiven extends Pick<UnitWorkOptions, 'history'> {
  /** Whether the user retries these units. If so, failed runs are resumed. Default: false. */
  readonly isRetry?: boolean;
}
type PlayedUnits = AsyncIterable<readonly Outcome[]>;

export interface PlayerDependencies extends Omit<UnitWorkOptions, 'history'>, PlayDependencies {
  readonly batches: Pick<BatchStore, 'addOutcomes' | 'outcomes'>;
  readonly store: Pick<RunStore, 'readMany'> & {
    /** Adds whole runs. A stored run is replaced only by a longer copy of the same run. */
    addRuns(runs: readonly (readonly StoredEvent[])[]): Promise<unknown>;
  };
  readonly graders: UnitGraders;
}

/** Number of units that are run and stored together. */
const TOGETHER = 64;

/** Kinds of Conductors that make no calls. */
const INSTANT_CONDUCTORS: ReadonlySet<ConductorKind> = new Set(['heuristic', 'policy', 'template']);

/**
 * Whether a method's runs on a dataset can use virtual time. All workers must be simulated or recorded, or be the Conductor
 * itself. Neither the Conductor nor a grader may make a call.
 */
export function isPlayable({ settings: { pool, conductor } }: Method, graders: readonly GraderKind[]): boolean {
  const isInstant = INSTANT_CONDUCTORS.has(conductor.kind);
  const isFast = pool.every(({ kind }) => kind === 'simulated' || kind === 'recorded' || kind === 'conductor');
  return isInstant && isFast && graders.every((kind) => GRADERS[kind].by === 'rules' || GRADERS[kind].by === 'person');
}

export function createUnitPlayer(dependencies: PlayerDependencies): UnitPlayer {
  return {
    async *play(batch, units, { history, isRetry = false }, signal) {
      const works = new UnitWorks(batch, { ...dependencies, history });
      const grader = new UnitGrader(dependencies.graders, batch.plan.judge);
      const playing: Playing = { batch, dependencies, works, grader, isRetry, signal };
      // The units run in groups, called pages. Each page is stored while the next page is run.
      let storing: { readonly page: PlayedPage; readonly outcomes: Promise<readonly Outcome[]> } | null = null;
      for (let from = 0; from < units.length && !signal.aborted; from += TOGETHER) {
        const page = await playPage(units.slice(from, from + TOGETHER), storing?.page.made ?? new Map(), playing);
        if (storing) yield await storing.outcomes;
        const outcomes = storePage(page, playing);
        // Prevents an “unhandled rejection” before the outcomes are awaited.
        outcomes.catch(() => undefined);
        storing = { page, outcomes };
      }
      if (storing) yield await storing.outcomes;
      signal.throwIfAborted();
    },
  };
}

interface Playing {
  readonly batch: Batch;
  readonly dependencies: PlayerDependencies;
  readonly works: UnitWorks;
  readonly grader: UnitGrader;
  readonly isRetry: boolean;
  readonly signal: AbortSignal;
}

interface PlayedPage {
  /** The runs that are new or have new events, by id. They are possibly not stored yet. */
  readonly made: ReadonlyMap<string, MadeRun>;
  readonly outcomes: readonly Outcome[];
}

/**
 * Runs and grades units, without storing the results. @param before runs of the previous page, possibly not
 * stored yet
 */
async function playPage(
  units: readonly Unit[],
  before: ReadonlyMap<string, MadeRun>,
  playing: Playing,
): Promise<PlayedPage> {
  const { batch, dependencies, works, isRetry } = playing;
  const all = await works.of(units);
  const ids = [...new Set(all.map(({ runId }) => runId))].filter((id) => !before.has(id));
  const known = new Map<string, OpenedRun>();
  for (const events of await dependencies.store.readMany(ids)) {
    const run = foldEvents(events);
    if (run && isOver(run.status)) known.set(run.id, { run, events });
  }
  // Equal units share one run.
  const making = new Map<string, Promise<PlayedRun>>();
  const make = (work: UnitWork): Promise<PlayedRun> => {
    const here = known.get(work.runId);
    const played =
      here && isSettled(here.run, isRetry) ? gradeKnown(work, here, playing) : playOne(work, here, playing);
    making.set(work.runId, played);
    return played;
  };
  const played = await Promise.all(
    all.map(async (work) => {
      const { opened, grading } = before.get(work.runId) ?? (await (making.get(work.runId) ?? make(work)));
      return outcomeOf(batch.id, work.unit, opened?.run ?? null, grading);
    }),
  );
  const made = new Map<string, MadeRun>();
  for (const [runId, pending] of making) {
    const { opened, grading } = await pending;
    if (opened && opened.events.length > (known.get(runId)?.events.length ?? 0)) made.set(runId, { opened, grading });
  }
  const found = new Set(all.map(({ unit }) => unit));
  const missing = units.filter((unit) => !found.has(unit));
  return { made, outcomes: [...played, ...missing.map((unit) => outcomeOf(batch.id, unit, null, missingTask()))] };
}

/** Stores the runs before the outcomes, so that no outcome lacks its run. @returns the outcomes, once they are stored */
async function storePage({ made, outcomes }: PlayedPage, { dependencies }: Playing): Promise<readonly Outcome[]> {
  if (made.size > 0) await dependencies.store.addRuns([...made.values()].map(({ opened }) => opened.events));
  await dependencies.batches.addOutcomes(outcomes);
  return outcomes;
}

interface PlayedRun {
  /** The run with its events. `null`: the run could not start. */
  readonly opened: OpenedRun | null;
  readonly grading: Awaited<ReturnType<UnitGrader['grade']>>;
}
interface MadeRun extends PlayedRun {
  readonly opened: OpenedRun;
}

/** Runs and grades one unit. @param prior the stored run, which is resumed. `undefined`: a new run is started */
async function playOne(work: UnitWork, prior: OpenedRun | undefined, playing: Playing): Promise<PlayedRun> {
  const { batch, dependencies, grader, signal } = playing;
  let request: NewRun;
  try {
    request = work.request();
  } catch (thrown) {
    // If a Conductor is missing, only the units of its own method fail.
    return { opened: prior ?? null, grading: unstartedGrading(thrown) };
  }
  const { conductor, batch: reference } = request;
  const start = { ...startOf(request, prior?.run.seed), ...(reference ? { batch: reference } : {}) };
  const history = request.planHistory?.history ?? [];
  const startedAt = prior?.events.at(-1)?.at ?? batch.createdAt;
  const opened = await playRun(
    { runId: work.runId, start, history, conductor, startedAt, ...(prior ? { prior } : {}) },
    dependencies,
    // A run on virtual time takes milliseconds, so it is not aborted when the user pauses the batch.
    new AbortController().signal,
  );
  const grading = await grader.grade(work.task, opened.run, signal);
  return { opened: withGrade(opened, grading), grading };
}

/** Grades a stored run. If the run has no grade yet, for example because the grader failed, adds the verdict to the run. */
async function gradeKnown(work: UnitWork, opened: OpenedRun, { grader, signal }: Playing): Promise<PlayedRun> {
  const grading = await grader.grade(work.task, opened.run, signal);
  return { opened: opened.run.grade === null ? withGrade(opened, grading) : opened, grading };
}

/** Adds the event that records the verdict, as in a live run. */
function withGrade(opened: OpenedRun, { verdicts: { strict } }: PlayedRun['grading']): OpenedRun {
  const last = opened.events.at(-1);
  if (!strict || !last || opened.run.answer === null) return opened;
  const at = { now: () => last.at };
  const graded: RunEvent = followingEvent(last, { type: 'run-graded', by: 'grader', ...strict }, at);
  return { run: opened.run, events: [...opened.events, graded] };
}
