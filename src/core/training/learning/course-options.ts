/**
 * @file The options of a training course and their defaults. This file does not import the training framework, so the page can
 * load it early.
 */

/** The loss settings that a course can use. `LOSSES` in `grpo.ts` has their values. */
export const LOSS_NAMES = ['default', 'paper'] as const;
export type LossName = (typeof LOSS_NAMES)[number];

/**
 * Rows of every batch: up to seven workers and the Conductor. The shape is fixed so that the network is compiled only
 * once.
 */
export const BATCH_ROWS = 8;

export interface GrpoSettings {
  /** Whether advantages are divided by the group's standard deviation. */
  readonly divideByDeviation: boolean;
  /** `true`: every sampled workflow has the same weight, however many steps it has. `false`: every step has the same weight. */
  readonly averageByRollout: boolean;
  /** The probability ratio is clipped to 1 - clipLow … 1 + clipHigh. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Entropy coefficient at the first update. The coefficient decays to a tenth of this value by the last update. */
  readonly entropy: number;
  /** In every choice, this share of the probability is spread evenly over the allowed options. */
  readonly floor: number;
  /** Subtracted from the reward for each step. */
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
  /** Base learning rate. It is multiplied by the warm-up, from 0 to 1, and by a cosine decay over the course, from 1 to 0.1. */
  readonly learningRate: number;
  /** Number of weight updates from each batch of rollouts. */
  readonly epochs: number;
  /**
   * Number of different items (questions with a pool) for updates without a second round. The items recur, so cached
   * answers of workers can be reused.
   */
  readonly items: number;
  /** In every update whose number is a multiple of this, the Conductor may request a second round. */
  readonly recursionEvery: number;
  /** Number of dimensions of the network's hidden vectors. */
  readonly width: number;
  /** Share of the updates over which the learning rate warms up. Default: a tenth. */
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
