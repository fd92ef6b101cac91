/**
 * @file What is kept of a whole training, beside its weights: how it was made, how it went and how it stands. One file each in
 * `models/policy/trainings/`; the model card is made from them.
 */
import * as z from 'zod/mini';
import { CONTENDERS, type Contender } from './contenders';
import { TRIALS, type Trial } from './evaluation';
import type { LOSSES } from './grpo';

const count = z.int().check(z.nonnegative());
const share = z.number().check(z.minimum(0), z.maximum(1));

const estimateSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });

const standingSchema = z.object({
  right: estimateSchema,
  calls: z.number(),
  policyLeads: estimateSchema,
});

const comparisonSchema = z.object({ items: count, standings: z.record(z.enum(CONTENDERS), standingSchema) });

const curvePointSchema = z.object({
  update: count,
  /** Share of right answers on validation items, and calls a question: the steps of a workflow. */
  right: share,
  calls: z.number(),
  /** The same share while training, noise and all, over the updates since the point before. */
  training: share,
});

const courseSchema = z.object({
  seed: count,
  updates: count,
  warmUp: count,
  requests: count,
  group: count,
  loss: z.enum(['paper', 'default'] satisfies (keyof typeof LOSSES)[]),
  learningRate: z.number(),
  epochs: count,
  items: count,
  recursionEvery: count,
  width: count,
});

const recordSchema = z.object({
  revision: z.string(),
  command: z.string(),
  course: courseSchema,
  /** Simulated workers, the graded runs of their past, and the network's weights. */
  workers: count,
  pastRuns: count,
  parameters: count,
  /** s of wall time, and s that the processor worked. */
  seconds: z.number(),
  processorSeconds: z.number(),
  /** Updates that were made, and the one whose weights were kept. */
  updates: count,
  kept: count,
  curve: z.array(curvePointSchema).check(z.minLength(1)),
  heuristicOnValidation: share,
  /** For each trial, all items of all evaluation seeds together, and each seed by itself. */
  trials: z.record(z.enum(TRIALS), z.object({ all: comparisonSchema, seeds: z.array(comparisonSchema) })),
  /** Without any graded runs, and with many, on unseen workers. */
  byDepth: z.array(z.object({ depth: count, comparison: comparisonSchema })),
});

/** A point of the training's curve. */
export type CurvePoint = z.infer<typeof curvePointSchema>;

/** A training as it is kept. */
export type TrainingRecord = z.infer<typeof recordSchema>;

/** Reads what `JSON.stringify` made of a record. @returns `null` for anything else */
export function readTrainingRecord(json: unknown): TrainingRecord | null {
  const read = recordSchema.safeParse(json);
  return read.success ? read.data : null;
}

/** Its file's name, without the folder. */
export function recordName({ course }: Pick<TrainingRecord, 'course'>): string {
  return `${course.loss}-seed${course.seed}.json`;
}

/** How far the kept weights were ahead of the heuristic on the validation items, as a share of them. */
export function leadOnValidation({ curve, kept, heuristicOnValidation }: TrainingRecord): number {
  const best = curve.find(({ update }) => update === kept);
  return (best?.right ?? 0) - heuristicOnValidation;
}

/**
 * The training whose weights come with Podium: of those with the default loss settings, the one that was furthest ahead of the
 * heuristic on its validation items; the items that are reported on have no say in it. `null` for none.
 */
export function chosenTraining(records: readonly TrainingRecord[]): TrainingRecord | null {
  const [best] = records
    .filter(({ course }) => course.loss === 'default')
    .toSorted((one, other) => leadOnValidation(other) - leadOnValidation(one) || one.course.seed - other.course.seed);
  return best ?? null;
}

/** Whether the policy's lead over another is certain enough: the lower end of its 95 % interval is above `least`. */
export function leads({ all }: TrainingRecord['trials'][Trial], other: Contender, least = 0): boolean {
  return all.standings[other].policyLeads.low > least;
}

/** The gate: a policy stands in for the heuristic only where its lead is certain on workers that it never met. */
export function mayReplaceHeuristic(trials: TrainingRecord['trials']): boolean {
  return leads(trials['unseen workers'], 'heuristic');
}
