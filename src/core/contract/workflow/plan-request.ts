/**
 * @file What a Conductor is asked, and the one function that makes it from a run's settings: the preview, the executor and
 * exports all ask through it, so the plan shown is the plan that runs.
 */
import type { QuestionEmbeddings } from '../model/sentence-model';
import type { ImageReference } from '../run/image';
import type { RunSettings } from '../run/settings';
import type { Role, Workflow } from './workflow';

/** An earlier round of the same run, as the Conductor is shown it. */
export interface EarlierRound {
  readonly workflow: Workflow;
  /** Output of each step, `null` where it has none. */
  readonly outputs: readonly (string | null)[];
  /** What would be the answer if the Conductor kept it. */
  readonly answer: string;
}

/** A graded run, as Conductors that go by history are told of it. What it says of a worker is worked out in core/analysis. */
export interface GradedRun {
  readonly runId: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly question: string;
  /** Whether the run's answer was right. */
  readonly right: boolean;
  /** Who was called and came to an end, each worker once for each role that it took. */
  readonly played: readonly { readonly workerId: string; readonly role: Role }[];
}

/** The settings that a Conductor plans by. */
type PlanSettings = Pick<RunSettings, 'maxSteps' | 'access' | 'seed' | 'candidates' | 'choice' | 'planTemperature'>;

export interface PlanRequest extends PlanSettings {
  readonly question: string;
  /** The images that come with it. Absent: none. */
  readonly images?: readonly ImageReference[];
  /** Workers that this round's workflow may name. */
  readonly pool: RunSettings['pool'];
  /** The pool's last entry is the Conductor itself, and it may still be named in this round. */
  readonly recursion: boolean;
  /** 0-based. */
  readonly round: number;
  readonly earlier: readonly EarlierRound[];
  /** Graded runs, for Conductors that go by them. In any order. */
  readonly history?: readonly GradedRun[];
  /** The question and those of `history`, placed by a sentence model. Absent: their spelling places them. */
  readonly embeddings?: QuestionEmbeddings;
}

/** Whether the Conductor may still name itself in a round (0-based): not in the last one that the caps permit. */
export function mayRecurse({ recursion, caps }: Pick<RunSettings, 'recursion' | 'caps'>, round: number): boolean {
  return recursion && round + 1 < caps.rounds;
}

/** What a plan request knows beyond the run's settings. */
interface PlanRequestOptions {
  /** 0-based. Default 0. */
  readonly round?: number;
  /** Default none. */
  readonly earlier?: readonly EarlierRound[];
  readonly history?: readonly GradedRun[] | undefined;
  readonly embeddings?: QuestionEmbeddings | undefined;
}

/** What the Conductor is asked in a round. In the last permitted round it is not in the pool, since it may not name itself. */
export function planRequestOf(
  settings: Omit<RunSettings, 'conductor' | 'sampling' | 'approval'>,
  { round = 0, earlier = [], history, embeddings }: PlanRequestOptions = {},
): PlanRequest {
  const { question, pool, maxSteps, access, seed, candidates, choice, planTemperature } = settings;
  const recursion = mayRecurse(settings, round);
  return {
    question: question.text,
    ...(question.images ? { images: question.images } : {}),
    pool: settings.recursion && !recursion ? pool.slice(0, -1) : pool,
    maxSteps,
    access,
    recursion,
    round,
    earlier,
    seed,
    candidates,
    choice,
    ...(planTemperature === undefined ? {} : { planTemperature }),
    ...(history ? { history } : {}),
    ...(embeddings ? { embeddings } : {}),
  };
}
