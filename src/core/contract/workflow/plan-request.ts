/**
 * @file The request that asks a Conductor for a plan. `planRequestOf` creates the request from a run's
 * settings. The preview, the executor and the exports all use `planRequestOf`, so their requests agree.
 */
import type { QuestionEmbeddings } from '../model/sentence-model';
import type { ImageReference } from '../run/image';
import type { QuestionFile } from '../run/question-file';
import { picked } from '../picked';
import { PLAN_SETTINGS } from '../run/setting-table';
import type { QuestionContext, RunSettings } from '../run/settings';
import type { CheckedAnswer } from './check-trust';
import type { Role, Workflow } from './workflow';

/** An earlier round of the same run, as shown to the Conductor. */
export interface EarlierRound {
  readonly workflow: Workflow;
  /** Output of each step. `null`: the step has no output. */
  readonly outputs: readonly (string | null)[];
  /** The answer of the round. If the Conductor writes an empty workflow next, the run keeps this answer. */
  readonly answer: string;
}

/** A graded run. Some Conductors use graded runs to estimate the success rates of workers (`core/analysis`). */
export interface GradedRun {
  readonly runId: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly question: string;
  /** Whether the run's answer was correct. */
  readonly right: boolean;
  /** The workers whose calls have finished, with one entry per worker and role. */
  readonly played: readonly { readonly workerId: string; readonly role: Role }[];
  /**
   * Runs with the same group stay together where a Conductor chooses its settings by predicting some runs from others. Absent: each
   * question is its own group.
   */
  readonly group?: string;
  /** Set if the run belongs to a batch. */
  readonly isOfBatch?: true;
  /** The verdicts of checks on answers whose truth is known. Absent: none. */
  readonly checks?: readonly CheckedAnswer[];
}

const PLANNED_WITH = Object.keys({ ...PLAN_SETTINGS, maxSteps: 0, seed: 0, prompt: 0 }) as readonly PlannedWith[];
type PlannedWith = keyof typeof PLAN_SETTINGS | 'maxSteps' | 'seed' | 'prompt';

/** The settings used for planning, and more facts about the run. */
export interface PlanRequest extends Pick<RunSettings, PlannedWith> {
  readonly question: string;
  /** The earlier run, if the question is a follow-up. */
  readonly context?: QuestionContext;
  /** The images attached to the question. Absent: no images. */
  readonly images?: readonly ImageReference[];
  /** The files attached to the question. Absent: no files. */
  readonly files?: readonly QuestionFile[];
  /** The workers that this round's workflow may use. */
  readonly pool: RunSettings['pool'];
  /**
   * Whether the pool's last entry is the Conductor itself. A workflow requests another round by naming
   * the Conductor in its last step.
   */
  readonly recursion: boolean;
  /** Index of the round to plan, from 0. */
  readonly round: number;
  /** The earlier rounds, in order. */
  readonly earlier: readonly EarlierRound[];
  /** Whether a step whose access is "all" also sees the earlier rounds. Absent: no. */
  readonly showsEarlier?: boolean;
  /** Whether the Conductor should write rounds of one or two steps. Only with `recursion`. Absent: no. */
  readonly shortRounds?: boolean;
  /** Graded runs in any order, for Conductors that use them. */
  readonly history?: readonly GradedRun[];
  /** Embeddings of the question and of the questions in `history`. Absent: similarity is based on spelling. */
  readonly embeddings?: QuestionEmbeddings;
}

/**
 * Whether the Conductor may name itself in the plan of a round, to request another round. In the last round
 * that the caps permit, the Conductor may not name itself.
 * @param round 0-based
 */
export function mayRecurse(
  { recursion, recursionMode, caps }: Pick<RunSettings, 'recursion' | 'recursionMode' | 'caps'>,
  round: number,
): boolean {
  return recursion && recursionMode !== 'always' && round + 1 < caps.rounds;
}

/**
 * Whether the settings require another round after this round (0-based). The mode `always` requires a
 * second round if the caps permit it.
 */
export function alwaysFollowed(
  { recursionMode, caps }: Pick<RunSettings, 'recursionMode' | 'caps'>,
  round: number,
): boolean {
  return recursionMode === 'always' && round === 0 && caps.rounds > 1;
}

/** Whether the steps of a round (0-based) may see the earlier rounds. */
export function showsEarlierRounds(
  {
    recursionMode,
    early,
  }: Pick<RunSettings, 'recursionMode'> & { readonly early?: { readonly during: number } | null | undefined },
  round: number,
): boolean {
  return (recursionMode === 'always' && round > 0) || (early ? round > early.during : false);
}

/** The inputs of a plan request in addition to the run's settings. */
interface PlanRequestOptions {
  /** Index of the round to plan. Default: 0. */
  readonly round?: number;
  /** The earlier rounds, in order. Default: none. */
  readonly earlier?: readonly EarlierRound[];
  readonly history?: readonly GradedRun[] | undefined;
  readonly embeddings?: QuestionEmbeddings | undefined;
}

/**
 * The request to a Conductor for a round. When the Conductor may not name itself (see `mayRecurse`), the
 * pool excludes the Conductor.
 */
export function planRequestOf(
  settings: Omit<RunSettings, 'conductor' | 'sampling' | 'approval'>,
  { round = 0, earlier = [], history, embeddings }: PlanRequestOptions = {},
): PlanRequest {
  const { question, pool } = settings;
  const recursion = mayRecurse(settings, round);
  return {
    question: question.text,
    ...(question.context ? { context: question.context } : {}),
    ...(question.images ? { images: question.images } : {}),
    ...(question.files ? { files: question.files } : {}),
    pool: settings.recursion && !recursion ? pool.slice(0, -1) : pool,
    ...picked(settings, PLANNED_WITH),
    recursion,
    round,
    earlier,
    ...(showsEarlierRounds(settings, round) ? { showsEarlier: true } : {}),
    ...(recursion && settings.recursionMode === 'rounds' ? { shortRounds: true } : {}),
    ...(history ? { history } : {}),
    ...(embeddings ? { embeddings } : {}),
  };
}
