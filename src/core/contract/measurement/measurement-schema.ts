/** @file The schema of a measurement's events in storage and backups. Keeps unknown fields, which later versions may add. */
import * as z from 'zod/mini';
import {
  amount,
  domainStrengths,
  fault,
  index,
  moment,
  poolWorker,
  roleStrengths,
  shortText,
  text,
  usd,
} from '../storage/schema-parts';
import { REASONING_LEVELS } from '../worker/provider';
import { VERDICTS } from '../workflow/verdict';
import { ANSWER_ENDS, type MeasurementEvent } from './measurement';

const plan = z.looseObject({
  workers: z.array(
    z.looseObject({
      worker: poolWorker,
      reasoning: z.optional(z.nullable(z.enum(REASONING_LEVELS))),
      reasoningTokens: z.optional(index),
      tasks: index,
      checks: index,
    }),
  ),
  datasets: z.optional(
    z.array(z.looseObject({ id: shortText, name: shortText, revision: shortText, isConfidential: z.boolean() })),
  ),
  seed: z.number(),
  usd,
  revision: index,
});

const item = z.looseObject({
  worker: index,
  number: index,
  family: shortText,
  level: index,
  task: z.optional(text),
  seed: z.number(),
  planted: z.optional(z.boolean()),
});

const answer = z.looseObject({
  end: z.enum(ANSWER_ENDS),
  right: z.boolean(),
  readable: z.boolean(),
  verdict: z.optional(z.enum(VERDICTS)),
  text,
  usd: z.nullable(usd),
  ms: amount.check(z.gte(0)),
  fault: z.optional(fault),
});

const figures = z.looseObject({
  id: shortText,
  domains: z.optional(domainStrengths),
  strengths: z.optional(roleStrengths),
});

const stamp = { id: shortText.check(z.minLength(1)), seq: index, at: moment };

const measurementSchema: z.ZodMiniType<MeasurementEvent> = z.discriminatedUnion('type', [
  z.looseObject({ ...stamp, type: z.literal('started'), plan }),
  z.looseObject({ ...stamp, type: z.literal('asked'), item, usd }),
  z.looseObject({ ...stamp, type: z.literal('answered'), worker: index, number: index, answer }),
  z.looseObject({ ...stamp, type: z.literal('worker-ended'), worker: index, fault }),
  z.looseObject({ ...stamp, type: z.literal('stopped') }),
  z.looseObject({ ...stamp, type: z.literal('resumed') }),
  z.looseObject({ ...stamp, type: z.literal('finished') }),
  z.looseObject({ ...stamp, type: z.literal('used'), before: z.array(figures) }),
  z.looseObject({ ...stamp, type: z.literal('undone') }),
]);

/** Reads a stored event. `null`: it can't be read. */
export function parseMeasurementEvent(value: unknown): MeasurementEvent | null {
  return z.safeParse(measurementSchema, value).data ?? null;
}
