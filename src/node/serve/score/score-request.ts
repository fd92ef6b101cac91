/**
 * @file Defines the items and results of `POST /v1/score`, and parses the items. An item is a task with a
 * completion. The completion is the text that a Conductor in training wrote for the task.
 */
import * as z from 'zod/mini';
import {
  CONDUCTOR_MAX_STEPS,
  GRADER_KINDS,
  GRADERS,
  type GraderKind,
  type PoolWorker,
  type Reward,
} from '../../../core/contract';
import { ApiError } from '../http/api-error';
import { parseBody } from '../http/body';

/** Maximum number of steps in a workflow. The prompts of `podium prompts` state the same limit. */
export const MOST_STEPS = CONDUCTOR_MAX_STEPS;
/** Whether a grader is supported. All others run programs, call a worker, ask a user or need recorded answers. */
export function isScored(kind: GraderKind): boolean {
  return GRADERS[kind].by === 'rules' && GRADERS[kind].needs !== 'score';
}
/** The kinds of graders that this server supports. */
const SCORED = GRADER_KINDS.filter(isScored);
/** Maximum number of items in a request. */
export const MOST_ITEMS = 4096;
/** Maximum lengths, in UTF-16 units. */
const LONGEST_QUESTION = 200_000;
const LONGEST_REFERENCE = 10_000;
const LONGEST_COMPLETION = 100_000;

/** The fields of a task that graders use. Other fields are ignored. */
export const taskSchema = z.looseObject({
  question: z.string().check(z.minLength(1), z.maxLength(LONGEST_QUESTION)),
  reference: z.optional(z.string().check(z.maxLength(LONGEST_REFERENCE))),
  grader: z.enum(GRADER_KINDS, {
    error: `there is no such grader. The graders are ${SCORED.slice(0, -1).join(', ')} and ${SCORED.at(-1) ?? ''}`,
  }),
});

function needsReference(kind: GraderKind): boolean {
  return GRADERS[kind].needs === 'reference';
}

/** What a reward depends on, besides the completion. The labels in OpenRLHF's requests have the same fields. */
export const scoredOn = z.looseObject({
  task: taskSchema.check(
    z.refine(({ grader, reference }) => reference !== undefined || !isScored(grader) || !needsReference(grader), {
      path: ['reference'],
      error: 'missing. The grader of this task needs a reference',
    }),
  ),
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
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
}

export interface ScoreResult {
  readonly id: string;
  /** The reward. `null`: unknown. A failed worker never makes the reward 0. */
  readonly reward: Reward | null;
  /** Whether the completion is a valid workflow. */
  readonly format: boolean;
  readonly correct: boolean | null;
  /** Whether this server can grade the task. */
  readonly gradable: boolean;
  readonly steps: number;
  readonly calls: number;
  /** Cost of the run, in US dollars. `null`: unknown. */
  readonly cost_usd: number | null;
  /** Id of the run. `null`: there was no run. */
  readonly run: string | null;
  readonly error: ScoreError | null;
}

/** Parses the items of a request. Throws an `ApiError` (400) for an invalid field. */
export function readScoreItems(value: unknown): readonly ScoreItem[] {
  return parseBody(scoreBody, value).items;
}

/**
 * Finds the workers with the given ids, in the same order. Throws an `ApiError` (400) if an id is
 * unknown or repeated.
 */
export function workersOf(ids: readonly string[], pool: readonly PoolWorker[]): readonly PoolWorker[] {
  if (new Set(ids).size < ids.length) throw new ApiError(400, 'A pool lists a worker twice.', { param: 'pool' });
  return ids.map((id) => {
    const found = pool.find((worker) => worker.id === id);
    if (found) return found;
    const message = `The server’s pool has no worker “${id}”. It has ${pool.map((worker) => worker.id).join(', ')}.`;
    throw new ApiError(400, message, { code: 'unknown_worker', param: 'pool' });
  });
}
