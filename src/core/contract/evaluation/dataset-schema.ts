/** @file The schemas of datasets and tasks in storage and backups. They keep unknown fields, which later versions may add. */
import * as z from 'zod/mini';
import { DOMAINS } from '../worker/domain';
import { ARTEFACT_RULES } from '../run/grader';
import { LONGEST_ELAPSED } from '../storage/bounds';
import { index, moment, shortText } from '../storage/schema-parts';
import { isConfidentialDataset } from './confidential-set';
import type { Dataset } from './dataset';
import { storedMapSchema } from './dataset-map-schema';
import { GRADER_KINDS, type EvaluationTask } from './task';

const id = shortText.check(z.minLength(1));
const graderKind = z.enum(GRADER_KINDS);

const storedDataset: z.ZodMiniType<Dataset> = z.looseObject({
  id,
  name: shortText,
  source: z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('practice') }),
    z.looseObject({ kind: z.literal('file'), name: shortText }),
    z.looseObject({ kind: z.literal('hub'), repository: shortText, revision: shortText, file: shortText }),
  ]),
  revision: shortText,
  tasks: index,
  groups: z.array(z.looseObject({ group: shortText, tasks: index })),
  graders: z.array(graderKind),
  isConfidential: z.boolean(),
  recordedWorkers: z.optional(z.array(shortText.check(z.minLength(1)))),
  map: storedMapSchema,
  addedAt: moment,
});

/** Also marks confidential datasets that older versions stored with `isConfidential: false`. */
export const datasetSchema: z.ZodMiniType<Dataset> = z.pipe(
  storedDataset,
  z.transform((dataset) => ({ ...dataset, isConfidential: isConfidentialDataset(dataset) })),
);

const amount = z.nullable(z.number().check(z.nonnegative()));
const recordedAnswer = z.looseObject({
  worker: shortText.check(z.minLength(1)),
  text: z.string(),
  usd: amount,
  // The latency is bounded, because a replay takes as long as the recorded call.
  latency: z.nullable(z.number().check(z.nonnegative(), z.lte(LONGEST_ELAPSED))),
  input: amount,
  output: amount,
});

export const evaluationTaskSchema: z.ZodMiniType<EvaluationTask> = z.looseObject({
  id,
  question: z.string(),
  reference: z.optional(z.string()),
  grader: graderKind,
  domain: z.enum(DOMAINS),
  group: z.optional(shortText),
  solution: z.optional(z.string()),
  caution: z.optional(z.string()),
  artefactRules: z.optional(z.enum(ARTEFACT_RULES)),
  recorded: z.optional(z.array(recordedAnswer)),
});
