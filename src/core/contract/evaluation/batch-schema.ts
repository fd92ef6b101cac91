/** @file The schema of batches in storage, backups and exported results. Keeps unknown fields, which later versions may add. */
import * as z from 'zod/mini';
import { boundsProblem } from '../storage/bounds';
import { index, moment, poolWorker, shortText, usd } from '../storage/schema-parts';
import { settingsShape } from '../storage/settings-shape';
import { DOMAINS } from '../worker/domain';
import type { Batch, BatchDataset, BatchPlan, Method } from './batch';
import { namesConfidentialSet } from './confidential-set';
import { storedMapSchema } from './dataset-map-schema';
import { isRecord } from '../parse-json';

/** Upper limit for the number of parallel runs, and for the number of repeats. */
const MOST_AT_A_TIME = 1000;
const id = shortText.check(z.minLength(1));
const several = z.int().check(z.gte(1), z.lte(MOST_AT_A_TIME));

const method: z.ZodMiniType<Method> = z.looseObject({
  id,
  label: shortText,
  settings: z.looseObject(settingsShape),
  trustRules: z.optional(z.looseObject({ bound: z.number(), goOnShare: z.number() })),
  ablation: z.optional(
    z.looseObject({
      onlyWorker: z.optional(id),
      plainSubtasks: z.optional(z.boolean()),
      access: z.optional(z.enum(['none', 'all'])),
      subset: z.optional(z.int().check(z.gte(1))),
    }),
  ),
  equalCost: z.optional(
    z.looseObject({
      of: id,
      isMatched: z.optional(z.literal(true)),
      isMix: z.optional(z.literal(true)),
      mostThinking: z.optional(z.literal(true)),
    }),
  ),
  weights: z.optional(shortText),
});

const storedDataset: z.ZodMiniType<BatchDataset> = z.looseObject({
  id,
  name: shortText,
  revision: shortText,
  isConfidential: z.boolean(),
  taskIds: z.array(id),
  map: storedMapSchema,
});

/** Detects confidential datasets by name, because older versions stored batches without `isConfidential`. */
const dataset: z.ZodMiniType<BatchDataset> = z.pipe(
  storedDataset,
  z.transform((each) => ({ ...each, isConfidential: each.isConfidential || namesConfidentialSet(each.name) })),
);

/** Upper limit for the number of planted answers of a worker, far above real values. */
const MOST_PLANTED = 10_000;
const planted = index.check(z.lte(MOST_PLANTED));
const verdictCounts = z.looseObject({ right: planted, wrong: planted, unsure: planted });

const batchPlanSchema: z.ZodMiniType<BatchPlan> = z.looseObject({
  datasets: z.array(dataset),
  methods: z.array(method),
  repeats: several,
  seed: z.number(),
  history: z.enum(['none', 'before', 'table']),
  measuredChecks: z.optional(
    z.array(
      z.looseObject({ checker: id, domain: z.nullable(z.enum(DOMAINS)), right: verdictCounts, wrong: verdictCounts }),
    ),
  ),
  judge: z.nullable(poolWorker),
  answerFormat: z.optional(z.literal('answer-tags')),
  usd: z.nullable(usd),
  concurrency: several,
});

export const batchSchema: z.ZodMiniType<Batch> = z.looseObject({
  id,
  name: shortText,
  createdAt: moment,
  plan: batchPlanSchema,
  isImported: z.boolean(),
});

/**
 * Like `boundsProblem`, except that a dataset may have any number of task ids. The task ids are checked only
 * by the schema, which is fast even for a long list.
 */
export function batchBoundsProblem(value: unknown): string | null {
  if (!isRecord(value) || !isRecord(value.plan) || !Array.isArray(value.plan.datasets)) return boundsProblem(value);
  const datasets = value.plan.datasets.map((dataset: unknown) =>
    isRecord(dataset) ? withoutTaskIds(dataset) : dataset,
  );
  return boundsProblem({ ...value, plan: { ...value.plan, datasets } });
}

function withoutTaskIds(dataset: Record<string, unknown>): unknown {
  const { taskIds } = dataset;
  const isFlat = Array.isArray(taskIds) && taskIds.every((taskId) => typeof taskId === 'string');
  return isFlat ? { ...dataset, taskIds: [] } : dataset;
}

/** The fields of a unit, which is one run of a method on a task. The indexes are checked elsewhere, against the batch's plan. */
export const unitShape = { dataset: index, taskId: id, method: index, repeat: index };
