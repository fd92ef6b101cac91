/**
 * @file The messages between the page and the training Web Worker. The page sends orders, and the
 * Web Worker sends reports. Both sides validate the messages that they receive. This file does not
 * import the training framework, so the page can load it early.
 */
import * as z from 'zod/mini';
import { TOPOLOGIES } from '../analysis/topology';
import type { HeldOut, PolicyFile } from '../contract';
import { MOVES } from '../policy/moves';
import { heldOutSchema, policyFileSchema } from '../contract/model/kept-policy-schema';
import { LOSS_NAMES, type CourseOptions } from './learning/course-options';
import type { UpdateFigures, ValidationFigures } from './learning/figures';
import type { OwnLesson } from './learning/own-runs';

/** The size of a training run. */
export interface TrainingScale {
  readonly workers: number;
  /** Number of graded runs in the workers' histories. */
  readonly runs: number;
  /** Number of different questions in those runs. */
  readonly questions: number;
  /**
   * Number of validation items (questions with pools). Their results decide which weights are best.
   */
  readonly validation: number;
  readonly course: Pick<CourseOptions, 'pretrainingUpdates' | 'requests' | 'group' | 'items' | 'width'>;
}

/** The scale for training from random weights. Two hundred updates take a few minutes. */
export const TRAINING_SCALE: TrainingScale = {
  workers: 400,
  runs: 8_000,
  questions: 200,
  validation: 200,
  course: { pretrainingUpdates: 150, requests: 32, group: 16, items: 3_000, width: 48 },
};

/**
 * The scale for fine-tuning. Fine-tuning improves a policy only slightly, and measuring a small gain takes
 * many validation items.
 */
export const FINE_TUNING_SCALE: TrainingScale = { ...TRAINING_SCALE, validation: 1_000 };

const count = z.int().check(z.nonnegative());
const size = z.int().check(z.positive());

const numbers = z.custom<Float32Array>((value) => value instanceof Float32Array);
const ownLesson = z.object({
  input: z.object({
    question: numbers,
    workers: numbers,
    rows: z.array(count),
    limits: z.object({
      rows: size,
      conductor: z.int(),
      mayKeep: z.boolean(),
      maxSteps: size,
      repairsUnchecked: z.optional(z.boolean()),
    }),
  }),
  skeleton: z.array(z.object({ row: count, move: z.nullable(z.enum(MOVES)), access: z.array(count) })),
});

const trainingOrder = z.object({
  kind: z.literal('train'),
  seed: count,
  updates: size,
  loss: z.enum(LOSS_NAMES),
  /** Initial weights. `null`: random weights from the seed. */
  start: z.nullable(policyFileSchema),
  /** Examples from the user's own runs. Empty unless the user enables learning from own runs. */
  own: z.array(ownLesson),
  /** The checkpoints of the training run get the revisions `<revision>-<update>`. */
  revision: z.string(),
  scale: z.object({
    workers: size,
    runs: size,
    questions: size,
    validation: size,
    course: z.object({ pretrainingUpdates: count, requests: size, group: size, items: size, width: size }),
  }),
});
const trialOrder = z.object({
  kind: z.literal('compare'),
  seed: count,
  candidate: policyFileSchema,
  inUse: policyFileSchema,
  scale: z.object({ items: size, workers: size, runs: size, questions: size }),
});
const order = z.discriminatedUnion('kind', [trainingOrder, trialOrder]);

export type TrainingOrder = Omit<z.infer<typeof trainingOrder>, 'own'> & { readonly own: readonly OwnLesson[] };
export type TrialOrder = z.infer<typeof trialOrder>;
export type Order = TrainingOrder | TrialOrder;

export type TrainingReport =
  /**
   * A phase begins. `drawing`: random workers and questions are generated. The next phase is
   * `pretraining`, or `updates` in fine-tuning. The change from `pretraining` to `updates` is not
   * reported.
   */
  | { readonly type: 'began'; readonly phase: 'drawing' | 'pretraining' | 'updates' }
  | { readonly type: 'updated'; readonly figures: UpdateFigures }
  | ({ readonly type: 'validated' } & ValidationFigures)
  /**
   * New best weights. On the validation items, they give at least as many right answers as any earlier
   * weights of this training run. In fine-tuning, they also give more right answers than the initial weights.
   */
  | { readonly type: 'improved'; readonly update: number; readonly checkpoint: PolicyFile }
  /** Progress of a comparison, in items. */
  | { readonly type: 'played'; readonly done: number; readonly of: number }
  | { readonly type: 'compared'; readonly heldOut: HeldOut };

/** Executes training runs and comparisons outside the page's thread. */
export interface TrainingDesk {
  /**
   * Executes an order. Leaving the loop over the reports or aborting the signal stops the work
   * immediately. Throws a `FaultError` when the work fails and an `AbortError` on abort.
   */
  carryOut(order: Order, signal: AbortSignal): AsyncIterable<TrainingReport>;
}

const number = z.number();
const report: z.ZodMiniType<TrainingReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('began'), phase: z.enum(['drawing', 'pretraining', 'updates']) }),
  z.object({
    type: z.literal('updated'),
    figures: z.object({
      update: size,
      reward: number,
      right: number,
      calls: number,
      loss: number,
      gradient: number,
      valid: number,
      steps: number,
      entropy: number,
      topologies: z.record(z.enum(TOPOLOGIES), number),
      ranks: z.array(number),
    }),
  }),
  z.object({ type: z.literal('validated'), update: count, right: number, calls: number, heuristic: number }),
  z.object({ type: z.literal('improved'), update: size, checkpoint: policyFileSchema }),
  z.object({ type: z.literal('played'), done: count, of: count }),
  z.object({ type: z.literal('compared'), heldOut: heldOutSchema }),
]);

/** Parses an order. Throws a `ZodError` for an invalid order. */
export const readOrder = (data: unknown): Order => order.parse(data);
/** Parses a report. Throws a `ZodError` for an invalid report. */
export const readReport = (data: unknown): TrainingReport => report.parse(data);
