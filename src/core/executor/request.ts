/**
 * @file The request that `execute` takes, and its dependencies.
 */
import type {
  Clock,
  Conductor,
  Journal,
  Person,
  PlanRequest,
  Run,
  RunStarted,
  Spending,
  WorkerDirectory,
  Workflow,
} from '../contract';

/** Resumes a run that ended without an answer: finished steps are kept, and only the others are called. */
export interface ResumePrior {
  readonly kind: 'resume';
  readonly run: Run;
}

/** Starts a new run that copies everything before one step of an earlier one. */
export interface ForkPrior {
  readonly kind: 'fork';
  readonly run: Run;
  readonly round: number;
  /** The first step that is called again. Those before it are reused if the workflow still asks for the same. */
  readonly step: number;
  /** The edited workflow of that round. Default: the one that ran. */
  readonly workflow?: Workflow;
}

export interface ExecuteRequest extends Pick<PlanRequest, 'history' | 'embeddings'> {
  readonly runId: string;
  /**
   * What the run depends on. When a run is resumed, its pool, Conductor, caps, sampling, steps and candidates are used from then
   * on, because the user may have changed them. The rest stays as the run began. A fork uses all of it, and its `parent` is
   * filled in if it is missing.
   */
  readonly start: Omit<RunStarted, 'type' | 'schema'>;
  readonly prior?: ResumePrior | ForkPrior;
}

export interface ExecuteDependencies {
  readonly conductor: Conductor;
  readonly workers: WorkerDirectory;
  readonly journal: Journal;
  readonly clock: Clock;
  /** The ledger of the day, over all runs. Absent: only the caps of the run apply. */
  readonly spending?: Spending;
  /** The user, who approves plans and chooses candidates. Absent: nobody is there, so the run does not wait. */
  readonly person?: Person;
  /** SHA-256 of a text as lower-case hex. Default: `@noble/hashes`. */
  readonly digest?: (text: string) => string;
}
