/** @file Defines the items and results of `POST /v1/score`, and reads the items. */
import * as z from 'zod/mini';
import {
  CONDUCTOR_MAX_STEPS,
  GRADER_KINDS,
  type GraderKind,
  type PoolWorker,
  type Reward,
} from '../../../core/contract';
import { ApiError } from '../http/api-error';
import { parseBody } from '../http/body';

/** Maximum number of steps of a scored workflow, as in the prompts of `podium prompts`. */
export const MOST_STEPS = CONDUCTOR_MAX_STEPS;
/** The graders that run no programs, call no worker and ask no user. */
export const SCORED_GRADERS: ReadonlySet<GraderKind> = new Set([
  'puzzle',
  'letter',
  'mathematics',
  'rlpr',
  'exact',
  'pattern',
]);
/** Maximum number of items in a request. The limits below are in UTF-16 units. */
const MOST_ITEMS = 4096;
const LONGEST_QUESTION = 200_000;
const LONGEST_REFERENCE = 10_000;
const LONGEST_COMPLETION = 100_000;

/** The fields of an evaluation's task that a grader reads. Other fields are ignored. */
export const taskSchema = z.looseObject({
  question: z.string().check(z.minLength(1), z.maxLength(LONGEST_QUESTION)),
  reference: z.optional(z.string().check(z.maxLength(LONGEST_REFERENCE))),
  grader: z.enum(GRADER_KINDS),
});

/** The task, pool and seed that a completion is scored with. Labels of OpenRLHF have the same fields. */
export const scoredOn = z.looseObject({
  task: taskSchema,
  pool: z.array(z.string()).check(z.minLength(1)),
  seed: z.int().check(z.gte(0)),
});
export type ScoredOn = z.infer<typeof scoredOn>;

export const completionSchema = z.string().check(z.maxLength(LONGEST_COMPLETION));

const scoreBody = z.looseObject({
  items: z
    .array(z.extend(scoredOn, { id: z.string().check(z.maxLength(1000)), completion: completionSchema }))
    .check(z.minLength(1), z.maxLength(MOST_ITEMS)),
});

export interface ScoreItem extends ScoredOn {
  readonly id: string;
  readonly completion: string;
}

/** Why an item has no reward. */
export interface ScoreError {
  readonly code: string;
  readonly message: string;
  /** Whether a later request with the same item may succeed. */
  readonly retryable: boolean;
}

export interface ScoreResult {
  readonly id: string;
  /** The reward. `null`: unknown. A failed worker never makes the reward 0. */
  readonly reward: Reward | null;
  /** Whether the completion is a valid workflow. */
  readonly format: boolean;
  readonly correct: boolean | null;
  /** Whether this server can grade answers to the task. */
  readonly gradable: boolean;
  readonly steps: number;
  readonly calls: number;
  /** Cost of the run, US dollars. `null`: unknown. */
  readonly cost_usd: number | null;
  /** Id of the run. `null`: there was no run. */
  readonly run: string | null;
  readonly error: ScoreError | null;
}

/** Reads the items of a request. Throws an `ApiError` (400) if a field is invalid. */
export function readScoreItems(value: unknown): readonly ScoreItem[] {
  return parseBody(scoreBody, value).items;
}

/** The workers of an item, in the item's order. Throws an `ApiError` (400) for unknown and for repeated ids. */
export function workersOf(ids: readonly string[], pool: readonly PoolWorker[]): readonly PoolWorker[] {
  if (new Set(ids).size < ids.length) throw new ApiError(400, 'A pool lists a worker twice.', { param: 'pool' });
  return ids.map((id) => {
    const found = pool.find((worker) => worker.id === id);
    if (found) return found;
    const message = `The server’s pool has no worker “${id}”. It has ${pool.map((worker) => worker.id).join(', ')}.`;
    throw new ApiError(400, message, { code: 'unknown_worker', param: 'pool' });
  });
}
