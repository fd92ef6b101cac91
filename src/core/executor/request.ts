/** @file The arguments of `execute`: a request and the dependencies. */
import type {
  Clock,
  Conductor,
  EarlyEnd,
  ForkBase,
  Journal,
  UserDecisions,
  PlanRequest,
  RaisedCaps,
  Run,
  RunStarted,
  Spending,
  WorkerDirectory,
  Workflow,
} from '../contract';

/** Resumes an interrupted run, or a run that ended without an answer. Finished steps are kept, and only the other steps run. */
export interface ResumePrior {
  readonly kind: 'resume';
  readonly run: Run;
  /** Caps that the user raises for this run. They are recorded, so that a later resume keeps them. */
  readonly raised?: RaisedCaps;
}

/**
 * Starts a new run from one round of another run. The rounds before this round are copied. The steps of this
 * round are copied if the user's changes do not affect them.
 */
export interface ForkPrior extends ForkBase {
  readonly kind: 'fork';
  readonly run: Run;
  /** The edited workflow of the round. Default: the workflow that ran. */
  readonly workflow?: Workflow;
  /** Whether the Conductor plans the round again. If so, no step of the round is reused. Default false. */
  readonly replan?: boolean;
}

export interface ExecuteRequest extends Pick<PlanRequest, 'history' | 'embeddings'> {
  readonly runId: string;
  /**
   * The settings of the run. The user may change some settings before a run is resumed: the pool, Conductor, caps, sampling,
   * step limit and number of candidates. A resumed run takes only these settings from here. Its other settings stay as
   * recorded. A fork uses all settings. If `parent` is absent, the parent of a fork is determined from `prior`.
   */
  readonly start: Omit<RunStarted, 'type' | 'schema'>;
  readonly prior?: ResumePrior | ForkPrior;
}

export interface ExecuteDependencies {
  readonly conductor: Conductor;
  readonly workers: WorkerDirectory;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Tracks the spending of the day over all runs. Absent: only the caps of the run apply. */
  readonly spending?: Spending;
  /** The user, who approves plans and chooses candidates. Absent: the run never waits for a user. */
  readonly decisions?: UserDecisions;
  /** Resolves if the user wants an answer now. The run then ends with it, unless that step has no output or the run is over. */
  readonly answerNow?: Promise<EarlyEnd>;
  /** SHA-256 of a text as lower-case hex. Default: `@noble/hashes`. */
  readonly digest?: (text: string) => string;
}
