/**
 * @file What can be done with runs, and what that needs.
 */
import type {
  ChangeNotices,
  Clock,
  Conductor,
  ConductorInfo,
  Fault,
  Grader,
  Locks,
  QuestionEmbedder,
  Run,
  RunEvent,
  RunStore,
  Spending,
  WorkerDirectory,
  GradedRun,
  Workflow,
} from '../contract';
import type { ExecuteDependencies, ExecuteRequest } from '../executor/request';
import type { ContinueQuestion, CurrentSetup } from './continuation';
import type { ForkPoint } from './fork';
import type { ToldHistory } from './history';
import type { LiveRun } from './live-run';
import type { Ceiling, NewRun } from './new-run';
import type { OpenedRun } from './saved-runs';

export type Execute = (
  request: ExecuteRequest,
  dependencies: ExecuteDependencies,
  signal: AbortSignal,
) => AsyncIterable<RunEvent>;

export interface RunsDependencies {
  readonly store: RunStore;
  readonly locks: Locks;
  readonly notices: ChangeNotices;
  readonly clock: Clock;
  /** The ledger of the day. Absent: only the caps of each run hold. */
  readonly spending?: Spending;
  readonly workers: WorkerDirectory;
  /** The Conductor of a saved run. May throw a `FaultError`, which counts once a plan is needed. */
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  /** Places questions by meaning, where a sentence model is in use. Absent: spelling places them. */
  readonly embedder?: QuestionEmbedder;
  /** Reads what the user has set up now: what a saved run uses when it goes on. */
  readonly current: () => Promise<CurrentSetup>;
  /** Asks the user before a run goes on with something else than before. Absent: nobody can be asked, so it does not. */
  readonly confirm?: (question: ContinueQuestion) => Promise<boolean>;
  /** Whether grades that came with a file count. Default: they do not. */
  readonly countsImportedGrades?: () => boolean;
  readonly newId: () => string;
  readonly newSeed: () => number;
  /** The executor. */
  readonly execute: Execute;
  readonly digest?: (text: string) => string;
  /** Told what a listener of a run threw. */
  readonly report?: (thrown: unknown) => void;
}

/** Every verb that can fail throws a `FaultError` with a sentence for the person who asked. */
export interface Runs {
  /** What keeps a run from starting, or `null`. */
  check(request: NewRun): Fault | null;
  /** The most a run may come to. `planned`: the first round's workflow, where it is known before the run. */
  ceiling(request: NewRun, planned?: Workflow): Ceiling;
  start(request: NewRun): Promise<LiveRun>;
  /**
   * Continues a run that ended without an answer: only what had not finished is called, as the user has set it up now. Throws
   * an `AbortError` where the user was asked and declined.
   */
  resume(runId: string): Promise<LiveRun>;
  /**
   * A new run that takes over everything before one step of an earlier one. With an edited workflow it keeps the seed, so
   * that only the edit differs; without one it gets a new seed, or it would say the same again. Uses what the user has set up
   * now, and throws an `AbortError` where the user was asked and declined.
   */
  fork(runId: string, point: ForkPoint): Promise<LiveRun>;
  /** A run that lives in this tab: it is at work, or has ended and is not saved. */
  live(runId: string): LiveRun | null;
  liveRuns(): readonly LiveRun[];
  /** A run with its events, from this tab if it lives here, else from the store. */
  open(runId: string): Promise<OpenedRun | null>;
  /** Grades a run that has ended; `null` takes the grade back. */
  grade(runId: string, correct: boolean | null, by?: 'person' | 'grader', detail?: string): Promise<Run>;
  /** Has a grader judge the answer of a run that has ended, and keeps its verdict beside a person's own, which outweighs it. */
  gradeBy(runId: string, grader: Grader, signal: AbortSignal): Promise<Run>;
  /** Puts a label on a run that has ended, or takes it off. */
  label(runId: string, label: string, on: boolean): Promise<Run>;
  /**
   * Marks every unfinished run whose page is gone as interrupted, and calls nothing. Those at work in other tabs are watched
   * from then on, and marked as soon as their page dies. @returns the ids of those marked now
   */
  recover(): Promise<readonly string[]>;
  /** Told of each run that was found dead and marked here, now or later. @returns how to stop listening */
  listen(heard: (runId: string) => void): () => void;
  /** Call after runs were put into the store or taken out of it in another way: what was remembered is read again, here and in other tabs. */
  takeStock(): Promise<void>;
  /** The newest graded runs, with who was called in them. */
  history(): Promise<readonly GradedRun[]>;
  /**
   * What Conductors are told of earlier runs when they plan for a question.
   * @param patience ms to wait for a sentence model; default: as long as a plan waits
   */
  told(question: string, signal: AbortSignal, patience?: number): Promise<ToldHistory>;
  /** Deletes a run that is not at work, here or in another tab. */
  delete(runId: string): Promise<void>;
  /** Deletes all runs, if none is at work, here or in another tab. Other tabs are told. */
  deleteAll(): Promise<void>;
}
