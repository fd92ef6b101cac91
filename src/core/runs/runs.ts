/** @file The interface of this folder, and its dependencies. */
import type {
  Annotation,
  AnswerComparison,
  ChangeNotices,
  CheckObservation,
  Clock,
  Conductor,
  ConductorInfo,
  Fault,
  Grader,
  GradedWith,
  Locks,
  PairBody,
  PoolWorker,
  QuestionEmbedder,
  RaisedCaps,
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
import type { ForkProposal } from './fork-outline';
import type { PlanHistory } from './history';
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
  /** Tracks the spending of the day. Absent: only the caps of each run apply. */
  readonly spending?: Spending;
  readonly workers: WorkerDirectory;
  /** Finds the Conductor of a saved run. May throw a `FaultError`, which is reported once a plan is needed. */
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  /**
   * Plans a saved run whose own Conductor is missing, if the user agrees. Absent: such a run fails once a plan is needed.
   */
  readonly substitute?: Conductor;
  /** Embeds questions, if a sentence model is in use. Absent: similarity is based on spelling. */
  readonly embedder?: QuestionEmbedder;
  /** Called when runs have been deleted or may have been replaced, so that data derived from them can be deleted too. */
  readonly onDeleted?: () => void;
  /** Reads the user's current setup, which a saved run uses when it continues. */
  readonly current: () => Promise<CurrentSetup>;
  /**
   * Asks the user before a run continues with another setup, or before a run from a file calls anything outside this page.
   * Absent: a run that needs the user's answer does not continue.
   */
  readonly confirm?: (question: ContinueQuestion) => Promise<boolean>;
  /** Whether Conductors may use imported grades. Default: they may not. */
  readonly countsImportedGrades?: () => boolean;
  /** What the workers of a pool said of planted answers in measurements. Absent: nothing is known. */
  readonly measuredChecks?: (pool: readonly PoolWorker[]) => Promise<readonly CheckObservation[]>;
  readonly newId: () => string;
  readonly newSeed: () => number;
  readonly execute: Execute;
  readonly digest?: (text: string) => string;
  /** Called with errors that do not stop a run, such as an error that a listener threw. */
  readonly report?: (thrown: unknown) => void;
}

/** Every method that can fail throws a `FaultError` with a sentence for the user. */
export interface Runs {
  /** Why a run can't start, or `null` if it can. */
  check(request: NewRun): Fault | null;
  /** The most a run may use and cost. `planned`: the first round's workflow, if it is known before the run. */
  ceiling(request: NewRun, planned?: Workflow): Ceiling;
  start(request: NewRun): Promise<LiveRun>;
  /**
   * Continues a run that ended without an answer: only unfinished steps are called, with the user's current
   * setup. Throws an `AbortError` if the run needs the user's agreement and the user declines.
   * @param raised caps for this run, which override the caps in the settings. For each raised cap, later
   * resumes use the higher of the raised value and the setting
   */
  resume(runId: string, raised?: RaisedCaps): Promise<LiveRun>;
  /**
   * Continues a run that ended without an answer. Uses the settings of a request instead of the user's current setup. Does not
   * ask the user, because the user agreed to these settings by starting the run's batch.
   */
  resumeAs(runId: string, request: NewRun): Promise<LiveRun>;
  /**
   * Starts a new run that reuses the outputs of an earlier run, except the outputs that the fork's changes affect.
   * The fork uses the user's current setup. If the user wants another answer from an unchanged step, or another plan,
   * the fork gets a new seed, because the old seed would lead to the same result. Throws an `AbortError` if the fork
   * needs the user's agreement and the user declines.
   */
  fork(runId: string, point: ForkPoint): Promise<LiveRun>;
  /** Describes a fork, and gives the reason if the fork can't start. Makes no calls. */
  outlineFork(runId: string, point: ForkPoint): Promise<ForkProposal>;
  /** A run that is live in this tab. A live run is running, or has ended but is not saved. */
  live(runId: string): LiveRun | null;
  liveRuns(): readonly LiveRun[];
  /** A run with its events, from this tab if the run is live here, else from the store. */
  open(runId: string): Promise<OpenedRun | null>;
  /**
   * Grades a run that has ended. If a person passes `correct: null`, the run's grade is removed. If a grader passes
   * `correct: null`, the grader has no verdict, and the run's grade stays unchanged.
   * @param detail the user's comment, or the grader's reason
   * @param more the paid call that produced the grade, and the version of the grader's rules
   */
  grade(
    runId: string,
    correct: boolean | null,
    by?: 'person' | 'grader',
    detail?: string,
    more?: GradedWith,
  ): Promise<Run>;
  /** Lets a grader judge the answer of a run that has ended, and records the verdict. The user's own grade takes precedence. */
  gradeBy(runId: string, grader: Grader, signal: AbortSignal): Promise<Run>;
  /** Adds a label to a run that has ended, or removes the label. */
  label(runId: string, label: string, on: boolean): Promise<Run>;
  /** Records a worker's comparison of answers in a run that has ended. See `compareAnswers`. */
  addComparison(runId: string, comparison: AnswerComparison): Promise<Run>;
  /** Adds the answer of one worker alone, or the user's comparison of the two answers, to a run that has ended. */
  addToPair(runId: string, body: PairBody): Promise<Run>;
  /** Changes the title, the note or the star of a run that has ended. Absent fields stay unchanged. */
  annotate(runId: string, change: Partial<Annotation>): Promise<Run>;
  /**
   * Marks unfinished runs as interrupted if their page is gone. Makes no calls. An unfinished run of another tab is watched, and
   * is marked as soon as its page is gone. @returns the ids of the runs marked now
   */
  recover(): Promise<readonly string[]>;
  /** Calls the listener with the id of each run that this tab marks as interrupted. @returns a function that unsubscribes */
  listen(listener: (runId: string) => void): () => void;
  /**
   * Refreshes caches, here and in other tabs. Call this method after other code has added runs to the store or removed runs from
   * it.
   */
  reloadRuns(): Promise<void>;
  /** The newest graded runs, and the workers called in them. */
  history(): Promise<readonly GradedRun[]>;
  /**
   * The earlier runs that Conductors use when they plan for a question.
   * @param patience longest wait for a sentence model, ms. Default: `PLAN_PATIENCE` in `history.ts`
   */
  historyFor(question: string, signal: AbortSignal, patience?: number): Promise<PlanHistory>;
  /** Deletes a run. Throws if the run is still running in this or another tab. */
  delete(runId: string): Promise<void>;
  /** Deletes all runs and notifies other tabs. Throws if any run is still running in this or another tab. */
  deleteAll(): Promise<void>;
}
