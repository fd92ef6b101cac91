/**
 * @file The options of a training course (pretraining and GRPO) and their defaults. This file does not import
 * the training framework, so the page can load it early.
 */

/** The loss settings that a course can use. `LOSSES` in `grpo.ts` has their values. */
export const LOSS_NAMES = ['default', 'paper'] as const;
export type LossName = (typeof LOSS_NAMES)[number];

/**
 * Rows of each request in a batch: up to seven workers and the Conductor. The number is fixed, so that the network is
 * compiled only once.
 */
export const BATCH_ROWS = 8;

export interface GrpoSettings {
  /** Whether advantages are divided by the group's standard deviation. */
  readonly divideByDeviation: boolean;
  /** `true`: all sampled workflows have the same weight in the loss. `false`: all steps have the same weight. */
  readonly averageByRollout: boolean;
  /** The probability ratio of the new and old policy is clipped to 1 - clipLow … 1 + clipHigh. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Entropy coefficient at the first update. The coefficient decays to a tenth of this value by the last update. */
  readonly entropy: number;
  /** Share of the probability that is spread evenly over the allowed options of each choice. */
  readonly floor: number;
  /** Subtracted from the reward for each call of a worker. */
  readonly stepCost: number;
}

export interface CourseOptions {
  readonly seed: number;
  /** Number of GRPO updates. */
  readonly updates: number;
  /** Number of supervised updates before the first GRPO update. */
  readonly pretrainingUpdates: number;
  /** Number of requests in a batch. */
  readonly requests: number;
  /** Number of workflows sampled for each request. */
  readonly group: number;
  readonly loss: LossName;
  /** Base learning rate. Two factors multiply it: a warm-up from 0 to 1, and a cosine decay from 1 to 0.1. */
  readonly learningRate: number;
  /** Number of weight updates from each batch of rollouts. */
  readonly epochs: number;
  /**
   * Number of different items (questions with a pool) for updates without a second round. Items recur, so that cached
   * answers of workers can be reused.
   */
  readonly items: number;
  /** The Conductor may request a second round only in every n-th update, where n is this number. */
  readonly recursionEvery: number;
  /** Number of dimensions of the network's hidden vectors. */
  readonly width: number;
  /** Share of the updates during which the learning rate warms up. Default: 0.1. */
  readonly warmUpShare?: number;
  /** Overrides of the loss settings. */
  readonly settings?: Partial<GrpoSettings>;
}

export const DEFAULT_COURSE: CourseOptions = {
  seed: 1,
  updates: 1_200,
  pretrainingUpdates: 150,
  requests: 32,
  group: 16,
  loss: 'default',
  learningRate: 2e-3,
  epochs: 2,
  items: 5_000,
  recursionEvery: 6,
  width: 48,
};
