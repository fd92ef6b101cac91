/**
 * @file What a worker that holds a model says to the page, parsed on arrival. One worker holds one model; its calls have
 * numbers.
 */
import * as z from 'zod/mini';
import type { EngineSpeed, Fault } from '../../core/contract';
import * as part from '../../core/contract/storage/schema-parts';

const count = z.nullable(z.number());
const fault: z.ZodMiniType<Fault> = part.fault;
const speed: z.ZodMiniType<EngineSpeed> = part.speed;

/** Said of the model itself, whatever its answers are like. */
export const MODEL_REPORTS = [
  z.object({
    type: z.literal('progress'),
    progress: z.object({
      phase: z.enum(['fetching', 'loading', 'compiling', 'warming']),
      loaded: count,
      total: count,
      speed: count,
      cached: z.boolean(),
    }),
  }),
  /** `what` names what was loaded as only the worker can: the digest of the weights, the form of the numbers. */
  z.object({ type: z.literal('loaded'), what: z.string() }),
  /** Before `loaded`: why it will not be. After it: why the model is gone. Nothing follows. */
  z.object({ type: z.literal('lost'), fault }),
] as const;

/** Said of one call for text: any number of `text`, then one of the others. */
const TEXT_REPORTS = [
  z.object({ type: z.literal('text'), call: z.int(), text: z.string() }),
  z.object({
    type: z.literal('finished'),
    call: z.int(),
    usage: z.nullable(z.object({ input: z.number(), output: z.number() })),
    finishReason: part.finishReason,
    speed: z.nullable(speed),
  }),
  /** The call failed; the model is well. */
  z.object({ type: z.literal('failed'), call: z.int(), fault }),
  /** The call was stopped, and nothing of it is left in the engine. */
  z.object({ type: z.literal('stopped'), call: z.int() }),
] as const;

const textModelReport = z.discriminatedUnion('type', [...MODEL_REPORTS, ...TEXT_REPORTS]);

export type ModelReport = z.infer<(typeof MODEL_REPORTS)[number]>;
export type TextReport = z.infer<(typeof TEXT_REPORTS)[number]>;

/** Throws on what is not one of ours. */
export const readTextModelReport = (data: unknown): ModelReport | TextReport => textModelReport.parse(data);
