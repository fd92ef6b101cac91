/**
 * @file What a run depends on, fixed when it starts. `run-started` records it, and the run, forks and plan requests are made
 * from it. The only place that knows its defaults.
 */
import type { Sampling } from '../model/message';
import type { PoolWorker } from '../worker/worker';
import type { ConductorInfo } from '../workflow/conductor-info';
import type { ImageReference } from './image';

/** `binary`: a step sees nothing or everything before it (the paper's main scheme). `fine`: any earlier steps (B.8). */
export type AccessScheme = 'binary' | 'fine';

/**
 * Who chooses among several candidates: the user, or Podium. `vote`: the candidate that the trained policy ranks first, where
 * it ranks them, else the shape that most of them share.
 */
export const PLAN_CHOICES = ['vote', 'person'] as const;
export type PlanChoice = (typeof PLAN_CHOICES)[number];

/** What a run may spend. `null`: no cap. A call's worst case is reserved before it leaves. */
export interface Caps {
  /** Rounds of recursion, the first included. */
  readonly rounds: number;
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

export interface Question {
  readonly text: string;
  /** Absent: none. */
  readonly images?: readonly ImageReference[];
}

/**
 * What a run depends on. It is stored as fields of `run-started`; the schema fills in what older events lack, so that past
 * the schema every field is there.
 */
export interface RunSettings {
  readonly question: Question;
  /** The recursing Conductor is the last entry when `recursion` is on. */
  readonly pool: readonly PoolWorker[];
  readonly conductor: ConductorInfo;
  /** Whether the Conductor may name itself in the last step and so ask for another round. */
  readonly recursion: boolean;
  /** Most steps of one workflow. */
  readonly maxSteps: number;
  readonly seed: number;
  readonly caps: Caps;
  /** How workers are sampled. */
  readonly sampling: Sampling;
  /** What steps may see of each other. */
  readonly access: AccessScheme;
  /** How many workflows the Conductor writes before one is chosen. */
  readonly candidates: number;
  /** Who chooses among them. */
  readonly choice: PlanChoice;
  /** Whether a plan that calls a worker waits for the user's approval. */
  readonly approval: boolean;
  /** How the Conductor's model is sampled. Absent: the Conductor decides. */
  readonly planTemperature?: number;
}

/** What may differ from then on when a run is resumed. Absent: as before. */
export type ResumedWith = Partial<
  Pick<RunSettings, 'pool' | 'conductor' | 'caps' | 'sampling' | 'maxSteps' | 'candidates'>
>;

/** Settings that older events, and callers without an opinion, leave out. */
export const SETTING_DEFAULTS = {
  access: 'fine',
  candidates: 1,
  choice: 'vote',
  approval: false,
} as const satisfies Partial<RunSettings>;

/** The settings alone, taken from anything that has them. */
export function settingsOf(from: RunSettings): RunSettings {
  const { question, pool, conductor, recursion, maxSteps, seed, caps, sampling, planTemperature } = from;
  const { access, candidates, choice, approval } = from;
  return {
    question,
    pool,
    conductor,
    recursion,
    maxSteps,
    seed,
    caps,
    sampling,
    access,
    candidates,
    choice,
    approval,
    ...(planTemperature === undefined ? {} : { planTemperature }),
  };
}
