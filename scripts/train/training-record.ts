/**
 * @file The record of a training run: its options, its learning curve, and its evaluation against the heuristic (the built-in
 * rules) and other baselines. `models/policy/trainings/` has one file for each training run. The model card is generated from
 * these files.
 */
import * as z from 'zod/mini';
import type { HeldOut } from '../../src/core/contract';
import { heldOutSchema } from '../../src/core/contract/model/kept-policy-schema';
import { mayBeUsed } from '../../src/core/training/evaluation/gate';
import { LOSS_NAMES } from '../../src/core/training/learning/course-options';
import { TRIALS, type Trial } from './comparison';
import { CONTENDERS, type Contender } from './contenders';

const count = z.int().check(z.nonnegative());
const share = z.number().check(z.minimum(0), z.maximum(1));

const estimateSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });

const heldOutResultSchema = z.object({
  right: estimateSchema,
  calls: z.number(),
  policyLeads: estimateSchema,
});

const comparisonSchema = z.object({ items: count, standings: z.record(z.enum(CONTENDERS), heldOutResultSchema) });

const curvePointSchema = z.object({
  update: count,
  /** Share of right answers on the validation items, which are used to select the weights. */
  right: share,
  /** Mean number of calls for a question, which is the number of steps in a workflow. */
  calls: z.number(),
  /** Share of the sampled workflows that gave a right answer, over the updates since the previous point. */
  training: share,
});

const courseSchema = z.object({
  seed: count,
  updates: count,
  pretrainingUpdates: count,
  requests: count,
  group: count,
  loss: z.enum(LOSS_NAMES),
  learningRate: z.number(),
  epochs: count,
  items: count,
  recursionEvery: count,
  width: count,
  /** The revision of the weights that the training started from. Absent: random weights. */
  start: z.optional(z.string()),
  /** Absent: the training is from before the cost was recorded, when it was 0.01. */
  settings: z.optional(
    z.object({ stepCost: z.number(), entropy: z.optional(z.number()), floor: z.optional(z.number()) }),
  ),
});

const recordSchema = z.object({
  revision: z.string(),
  command: z.string(),
  course: courseSchema,
  /** Number of simulated workers. */
  workers: count,
  /** Number of graded runs in the histories of the workers. */
  pastRuns: count,
  /** Number of weights in the network. */
  parameters: count,
  /** Wall time of the training, in seconds. */
  seconds: z.number(),
  /** Processor time of the whole process, in seconds. */
  processorSeconds: z.number(),
  updates: count,
  /** The update whose weights were selected. */
  kept: count,
  curve: z.array(curvePointSchema).check(z.minLength(1)),
  heuristicOnValidation: share,
  /** For each trial: the result over all evaluation seeds together, and the result for each seed. */
  trials: z.record(z.enum(TRIALS), z.object({ all: comparisonSchema, seeds: z.array(comparisonSchema) })),
  /** The result on unseen workers, by the maximum number of graded runs known about each worker. */
  byDepth: z.array(z.object({ depth: count, comparison: comparisonSchema })),
  /**
   * The comparison of the gate with the weights that Podium shipped before. Absent: the training is from before the workers of the
   * training environment erred and settled steps were skipped.
   */
  heldOut: z.optional(heldOutSchema),
});

export type CurvePoint = z.infer<typeof curvePointSchema>;

export type TrainingRecord = Omit<z.infer<typeof recordSchema>, 'heldOut'> & { readonly heldOut?: HeldOut | undefined };

/** Checks the parsed JSON of a record. @returns `null` if it is not a training record */
export function readTrainingRecord(json: unknown): TrainingRecord | null {
  const read = recordSchema.safeParse(json);
  return read.success ? read.data : null;
}

/** The file name of a record, without the folder. */
export function recordName({ course }: Pick<TrainingRecord, 'course'>): string {
  return `${course.loss}-seed${course.seed}${course.start ? '-tuned' : ''}.json`;
}

/** The lead of the selected weights over the heuristic on the validation items, as a share. */
export function leadOnValidation({ curve, kept, heuristicOnValidation }: TrainingRecord): number {
  const best = curve.find(({ update }) => update === kept);
  return (best?.right ?? 0) - heuristicOnValidation;
}

/**
 * Selects the training run whose weights Podium ships: of all runs with the default loss, the one with the
 * largest lead over the heuristic on the validation items. The model card reports results on other, held-out
 * items. These items must not influence the selection. A run must also pass the gate, if it was compared there. Runs from before
 * this comparison count only if no other run passes it, because results in different environments can't be compared. `null` if no
 * such run has the default loss.
 */
export function chosenTraining(records: readonly TrainingRecord[]): TrainingRecord | null {
  const own = records.filter(({ course }) => course.loss === 'default');
  const passed = own.filter(({ heldOut }) => heldOut && mayBeUsed(heldOut));
  const [best] = (passed.length > 0 ? passed : own.filter(({ heldOut }) => !heldOut)).toSorted(
    (one, other) => leadOnValidation(other) - leadOnValidation(one) || one.course.seed - other.course.seed,
  );
  return best ?? null;
}

/** Whether the policy leads a contender by more than `threshold`, even at the lower end of the 95 % interval. */
export function leads({ all }: TrainingRecord['trials'][Trial], other: Contender, threshold = 0): boolean {
  return all.standings[other].policyLeads.low > threshold;
}

/**
 * Whether the policy may replace the heuristic as the default Conductor. The whole 95 % interval of the policy's lead on unseen
 * workers must be above zero.
 */
export function mayReplaceHeuristic(trials: TrainingRecord['trials']): boolean {
  return leads(trials['unseen workers'], 'heuristic');
}
