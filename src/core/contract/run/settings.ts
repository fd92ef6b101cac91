/**
 * @file The settings of a run, which its event `run-started` records. A resumed run may change some of them.
 */
import type { Sampling } from '../model/message';
import type { PoolWorker } from '../worker/worker';
import type { ConductorInfo } from '../workflow/conductor-info';
import type { Effort } from './effort';
import type { ConductorPrompt } from '../workflow/conductor-prompt';
import type { ImageReference } from './image';

/**
 * Which earlier steps a step may see (arXiv 2512.04388). `binary`: either no step or all earlier steps. This is
 * the paper's main scheme. `fine`: any selection of earlier steps, as in the paper's appendix B.8.
 */
export type AccessScheme = 'binary' | 'fine';

/**
 * Who chooses among several candidate plans. `person`: the user. `vote`: Podium chooses the plan that the trained policy ranks
 * first. Without a ranking, Podium chooses a plan with the most common skeleton. A skeleton is the workers and the access of all
 * steps.
 */
export const PLAN_CHOICES = ['vote', 'person'] as const;
export type PlanChoice = (typeof PLAN_CHOICES)[number];

/**
 * What starts another round. `self`: the Conductor names itself as the worker of the last step. `always`: a second round always
 * follows the first round, and steps of the second round may see the first round. The published code of arXiv 2512.04388 works
 * like `always`.
 */
export const RECURSION_MODES = ['self', 'always'] as const;
export type RecursionMode = (typeof RECURSION_MODES)[number];

/** Maximum number of retries after an invalid plan. In Table 11 of the paper (arXiv 2512.04388), retries are unlimited. */
export const MOST_PLAN_RETRIES = 5;

/** Range of the time limit for writing a plan, in seconds. */
export const PLAN_SECONDS = { least: 5, most: 3600 } as const;

/** The caps of a run. `null`: no cap. Before a call is sent, Podium reserves the call's maximum cost. */
export interface Caps {
  /** Maximum number of rounds, including the first round. */
  readonly rounds: number;
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

export type CapName = keyof Caps;

/** Caps that the user has raised for a single run, with their new values. Absent: not raised. */
export type RaisedCaps = Readonly<Partial<Record<CapName, number>>>;

/**
 * The earlier run that a question follows up on. Its question and answer may be shortened
 * (`run/follow-up.ts`).
 */
export interface QuestionContext {
  readonly runId: string;
  readonly question: string;
  readonly answer: string;
  /** Set if the earlier run is confidential. Then the follow-up is confidential too: neither may leave this browser. */
  readonly isConfidential?: true;
}

export interface Question {
  readonly text: string;
  /** Absent: the question is not a follow-up. */
  readonly context?: QuestionContext;
  /** The attached images. Absent: no images. */
  readonly images?: readonly ImageReference[];
}

/**
 * The settings of a run, stored as fields of `run-started`. The schema fills in fields that older events lack, so
 * parsed settings are complete.
 */
export interface RunSettings {
  readonly question: Question;
  /** When `recursion` is on, the last entry is the Conductor itself. */
  readonly pool: readonly PoolWorker[];
  readonly conductor: ConductorInfo;
  /** Whether the Conductor may name itself as the worker of the last step, to request another round. */
  readonly recursion: boolean;
  /** What starts another round. With `always`, the Conductor does not need to name itself, so `recursion` is false. */
  readonly recursionMode: RecursionMode;
  /** Maximum steps of one workflow. */
  readonly maxSteps: number;
  /** Limits the size of a plan. See `EFFORT_LEVELS`. */
  readonly effort: Effort;
  readonly seed: number;
  readonly caps: Caps;
  /** Sampling parameters of workers. */
  readonly sampling: Sampling;
  /** Which earlier steps a step may see. */
  readonly access: AccessScheme;
  /** Number of candidate workflows that the Conductor writes. `choice` states who chooses among them. */
  readonly candidates: number;
  readonly choice: PlanChoice;
  /** Whether a plan that calls a worker waits for the user's approval. */
  readonly approval: boolean;
  /** Sampling temperature of the Conductor's model. Absent: the Conductor's default. */
  readonly planTemperature?: number;
  /** The user's prompt for the Conductor's model. Absent: the model's own prompt, or the default. */
  readonly prompt?: ConductorPrompt;
  /** Maximum number of retries after a model on a server writes an invalid plan. */
  readonly planRetries: number;
  /** Time limit for a language model to write a plan, in seconds. Absent: no limit. */
  readonly planSeconds?: number;
  /**
   * Whether a step goes on without failed attempts at a task, if other independent attempts at the same task have an output. For
   * runs without a user who could decide. Absent: the step is skipped.
   */
  readonly leaveOutFailed?: boolean;
}

/** Settings that a resumed run may change. Absent: unchanged. */
export type ResumedWith = Partial<
  Pick<RunSettings, 'pool' | 'conductor' | 'caps' | 'sampling' | 'maxSteps' | 'candidates'>
> & {
  /** Caps that the user raised when resuming this run. */
  readonly raised?: RaisedCaps;
};

/** Defaults for settings that older events and some callers omit. */
export const SETTING_DEFAULTS = {
  effort: 'thorough',
  access: 'fine',
  candidates: 1,
  choice: 'vote',
  approval: false,
  recursionMode: 'self',
  planRetries: 1,
} as const satisfies Partial<RunSettings>;

/** Extracts the settings from an object that contains them. */
export function settingsOf(from: RunSettings): RunSettings {
  const { question, pool, conductor, recursion, maxSteps, effort, seed, caps, sampling } = from;
  const { access, candidates, choice, approval, planTemperature, prompt, recursionMode, planRetries } = from;
  const { planSeconds, leaveOutFailed } = from;
  return {
    question,
    pool,
    conductor,
    recursion,
    maxSteps,
    effort,
    seed,
    caps,
    sampling,
    access,
    candidates,
    choice,
    approval,
    recursionMode,
    planRetries,
    ...(planTemperature === undefined ? {} : { planTemperature }),
    ...(planSeconds === undefined ? {} : { planSeconds }),
    ...(leaveOutFailed === undefined ? {} : { leaveOutFailed }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}
