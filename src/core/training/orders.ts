/**
 * @file What a page asks of a training that runs elsewhere, and what it is told, parsed on arrival on both sides. Knows
 * nothing of the framework that trains.
 */
import * as z from 'zod/mini';
import { TOPOLOGIES, type Topology } from '../analysis/topology';
import type { Fault, HeldOut, PolicyFile } from '../contract';
import { MOVES } from '../policy/moves';
import { heldOutSchema, policyFileSchema } from '../contract/kept-policy-schema';
import * as part from '../contract/schema-parts';
import type { OwnLesson } from './own-runs';

/** How much is drawn: the society that is trained on, the items that choose the best weights, and each update. */
export interface TrainingScale {
  readonly workers: number;
  /** Graded runs in the workers' past, and the questions these asked. */
  readonly runs: number;
  readonly questions: number;
  /** Items that the best weights are chosen by. */
  readonly validation: number;
  readonly course: {
    readonly warmUp: number;
    readonly requests: number;
    readonly group: number;
    readonly items: number;
    readonly width: number;
  };
}

/** For a person at a desk: a few minutes for two hundred updates. */
export const DESK_SCALE: TrainingScale = {
  workers: 400,
  runs: 8_000,
  questions: 200,
  validation: 200,
  course: { warmUp: 150, requests: 32, group: 16, items: 3_000, width: 48 },
};

/** The same where it goes on from trained weights: what it gains is small, so it takes more items to see it. */
export const GOING_ON_SCALE: TrainingScale = { ...DESK_SCALE, validation: 1_000 };

/** A comparison's items, and the society they are drawn from. */
export interface TrialScale {
  readonly items: number;
  /** Workers, graded runs in their past, and the questions these asked. */
  readonly workers: number;
  readonly runs: number;
  readonly questions: number;
}

/** Its paired intervals reach about a point to either side, which is what the gate's question takes; half a minute. */
export const TRIAL_SCALE: TrialScale = { items: 4_000, workers: 240, runs: 6_000, questions: 300 };

export const LOSS_NAMES = ['default', 'paper'] as const;

const count = z.int().check(z.nonnegative());
const size = z.int().check(z.positive());

const numbers = z.custom<Float32Array>((value) => value instanceof Float32Array);
const ownLesson = z.object({
  input: z.object({
    question: numbers,
    workers: numbers,
    rows: z.array(count),
    limits: z.object({ rows: size, conductor: z.int(), mayKeep: z.boolean(), maxSteps: size }),
  }),
  skeleton: z.array(z.object({ row: count, move: z.nullable(z.enum(MOVES)), access: z.array(count) })),
});

const trainingOrder = z.object({
  kind: z.literal('train'),
  seed: count,
  updates: size,
  loss: z.enum(LOSS_NAMES),
  /** What it goes on from; `null`: drawn from the seed. */
  start: z.nullable(policyFileSchema),
  /** Lessons from runs of the user's own; none unless they asked for it. */
  own: z.array(ownLesson),
  /** What revisions of its checkpoints begin with. */
  revision: z.string(),
  scale: z.object({
    workers: size,
    runs: size,
    questions: size,
    validation: size,
    course: z.object({ warmUp: count, requests: size, group: size, items: size, width: size }),
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

/** What one update came to: means and shares over its rollouts. */
export interface UpdateFigures {
  /** 1-based. */
  readonly update: number;
  readonly reward: number;
  readonly right: number;
  readonly calls: number;
  readonly loss: number;
  readonly gradient: number;
  readonly valid: number;
  readonly steps: number;
  readonly entropy: number;
  readonly topologies: Readonly<Record<Topology, number>>;
  readonly ranks: readonly number[];
}

/** How a policy does on the validation items; `heuristic` is the share of them that the heuristic gets right. */
export interface Validated {
  /** 0: before the first update. */
  readonly update: number;
  readonly right: number;
  readonly calls: number;
  readonly heuristic: number;
}

export type TrainingReport =
  /** `shapes`: the supervised start from a seed. */
  | { readonly type: 'began'; readonly phase: 'drawing' | 'shapes' | 'updates' }
  | { readonly type: 'updated'; readonly figures: UpdateFigures }
  | ({ readonly type: 'validated' } & Validated)
  /** The best so far, by the validation items. */
  | { readonly type: 'improved'; readonly update: number; readonly checkpoint: PolicyFile }
  | { readonly type: 'played'; readonly done: number; readonly of: number }
  | { readonly type: 'compared'; readonly heldOut: HeldOut }
  | { readonly type: 'finished' }
  /** Nothing follows. */
  | { readonly type: 'failed'; readonly fault: Fault };

/** Trains and compares, away from the page. */
export interface TrainingDesk {
  /**
   * Carries an order out; ends with `finished`. Leaving the loop, or aborting, ends it at once: what it has told by then
   * stands. Throws a `FaultError` where it fails, an `AbortError` when it is stopped.
   */
  carryOut(order: Order, signal: AbortSignal): AsyncIterable<TrainingReport>;
}

const number = z.number();
const report: z.ZodMiniType<TrainingReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('began'), phase: z.enum(['drawing', 'shapes', 'updates']) }),
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
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('failed'), fault: part.fault }),
]);

/** Both throw on what is not one of ours. */
export const readOrder = (data: unknown): Order => order.parse(data);
export const readReport = (data: unknown): TrainingReport => report.parse(data);
