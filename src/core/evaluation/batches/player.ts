/**
 * @file Runs the units of a batch whose workers are simulated. It runs many at a time, on virtual time, and stores them in bulk. The
 * page uses it in a Worker, so that the main thread stays free and background tabs are not throttled.
 */
import {
  foldEvents,
  isOver,
  unlessAborted,
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
import { startOf } from '../../runs';
import { playRun, type PlayDependencies } from '../../runs/play-run';
import { followingEvent, type OpenedRun } from '../../runs/saved-runs';
import { missingTask, UnitGrader, type UnitGraders } from './grading';
import { outcomeOf } from './outcome-of';
import { UnitWorks, type UnitWork, type UnitWorkOptions } from './unit-work';

/** Runs units and stores their runs and outcomes. */
export interface UnitPlayer {
  /**
   * Yields outcomes once they are stored. After an abort, units without an outcome can be played again. They reuse
   * their run if it was stored, and repeat it exactly if not. Throws a `FaultError` if storage refuses, and an `AbortError`.
   */
  play(batch: Batch, units: readonly Unit[], history: UnitWorkOptions['history'], signal: AbortSignal): PlayedUnits;
}
type PlayedUnits = AsyncIterable<readonly Outcome[]>;

export interface PlayerDependencies extends Omit<UnitWorkOptions, 'history'>, PlayDependencies {
  readonly batches: Pick<BatchStore, 'addOutcomes'>;
  readonly store: Pick<RunStore, 'readMany'> & {
    /** Stores complete runs. Doesn't replace stored ones. */
    addRuns(runs: readonly (readonly StoredEvent[])[]): Promise<unknown>;
  };
  readonly graders: UnitGraders;
}

/** Units that are played and stored together. */
const TOGETHER = 64;

const INSTANT_CONDUCTORS: ReadonlySet<ConductorKind> = new Set(['heuristic', 'policy', 'template']);

/** Graders without dependencies on a browser, a sandbox or a worker. */
const PURE_GRADERS: ReadonlySet<GraderKind> = new Set([
  'puzzle',
  'letter',
  'mathematics',
  'rlpr',
  'exact',
  'pattern',
  'person',
]);

/** Whether a method's runs on a dataset can use virtual time: all workers are simulated, and no step or grader makes a call. */
export function isPlayable({ settings: { pool, conductor } }: Method, graders: readonly GraderKind[]): boolean {
  const isInstant = INSTANT_CONDUCTORS.has(conductor.kind);
  const isSimulated = pool.every(({ kind }) => kind === 'simulated' || kind === 'conductor');
  return isInstant && isSimulated && graders.every((kind) => PURE_GRADERS.has(kind));
}

export function createUnitPlayer(dependencies: PlayerDependencies): UnitPlayer {
  return {
    async *play(batch, units, history, signal) {
      const works = new UnitWorks(batch, { ...dependencies, history });
      const grader = new UnitGrader(dependencies.graders, batch.plan.judge);
      for (let from = 0; from < units.length; from += TOGETHER) {
        signal.throwIfAborted();
        const some = units.slice(from, from + TOGETHER);
        yield await playSome(batch, some, { dependencies, works, grader, signal });
      }
    },
  };
}

interface Playing {
  readonly dependencies: PlayerDependencies;
  readonly works: UnitWorks;
  readonly grader: UnitGrader;
  readonly signal: AbortSignal;
}

async function playSome(batch: Batch, units: readonly Unit[], playing: Playing): Promise<readonly Outcome[]> {
  const { dependencies, works, signal } = playing;
  const all = await works.of(units);
  const ids = [...new Set(all.map(({ runId }) => runId))];
  const known = new Map<string, OpenedRun>();
  for (const events of await dependencies.store.readMany(ids)) {
    const run = foldEvents(events);
    if (run && isOver(run.status)) known.set(run.id, { run, events });
  }
  // Equal units share one run.
  const making = new Map<string, Promise<PlayedRun>>();
  const played = await Promise.all(
    all.map((work) => {
      const here = known.get(work.runId);
      if (here) return outcomeOfKnown(batch, work, here, playing);
      const made = making.get(work.runId) ?? playOne(batch, work, playing);
      making.set(work.runId, made);
      return made.then(({ opened, grading }) => outcomeOf(batch.id, work.unit, opened.run, grading));
    }),
  );
  const made = await Promise.all(making.values());
  if (made.length > 0) await dependencies.store.addRuns(made.map(({ opened }) => opened.events));
  const found = new Set(all.map(({ unit }) => unit));
  const gone = units.filter((unit) => !found.has(unit));
  const outcomes = [...played, ...gone.map((unit) => outcomeOf(batch.id, unit, null, missingTask()))];
  await unlessAborted(dependencies.batches.addOutcomes(outcomes), signal);
  return outcomes;
}

async function outcomeOfKnown(batch: Batch, { unit, task }: UnitWork, { run }: OpenedRun, playing: Playing) {
  return outcomeOf(batch.id, unit, run, await playing.grader.grade(task, run, playing.signal));
}

interface PlayedRun {
  readonly opened: OpenedRun;
  readonly grading: Awaited<ReturnType<UnitGrader['grade']>>;
}

async function playOne(batch: Batch, work: UnitWork, { dependencies, grader, signal }: Playing): Promise<PlayedRun> {
  const request = work.request();
  const { conductor, batch: reference } = request;
  const start = { ...startOf(request), ...(reference ? { batch: reference } : {}) };
  const history = request.planHistory?.history ?? [];
  const opened = await playRun(
    { runId: work.runId, start, history, conductor, startedAt: batch.createdAt },
    dependencies,
    // A run on virtual time takes milliseconds, so pausing waits for it instead of aborting it.
    new AbortController().signal,
  );
  const grading = await grader.grade(work.task, opened.run, signal);
  return { opened: withGrade(opened, grading), grading };
}

/** Adds the verdict to the run, in the same form as for a live run. */
function withGrade(opened: OpenedRun, { verdicts: { strict } }: PlayedRun['grading']): OpenedRun {
  const last = opened.events.at(-1);
  if (!strict || !last || opened.run.answer === null) return opened;
  const at = { now: () => last.at };
  const { correct, detail } = strict;
  const graded: RunEvent = followingEvent(last, { type: 'run-graded', correct, by: 'grader', detail }, at);
  return { run: opened.run, events: [...opened.events, graded] };
}
