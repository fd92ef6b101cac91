/**
 * @file The reports from a model's Web Worker to the page. The page validates each report. A Web
 * Worker runs one model.
 */
import * as z from 'zod/mini';
import type { EngineSpeed } from '../../core/contract';
import * as part from '../../core/contract/storage/schema-parts';

const count = z.nullable(z.number());
const usage = z.object({ input: z.number(), output: z.number() });
const speed: z.ZodMiniType<EngineSpeed> = part.speed;

/**
 * Reports about the model itself. All kinds of models use these reports, in the call that loads the model. That call lasts as long
 * as the model can be used, and fails when loading has failed, or when the loaded model can no longer be used.
 */
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
  /**
   * `what` describes the loaded model: the digest of the weights, or the library's version and the
   * numeric format.
   */
  z.object({ type: z.literal('loaded'), what: z.string() }),
] as const;

/** Reports about one call that generates text: any number of `reading` and `text` reports, then `finished`. */
const TEXT_REPORTS = [
  /** Number of prompt tokens that have been processed. Cached tokens count as processed. */
  z.object({ type: z.literal('reading'), read: z.int(), total: z.int() }),
  /** `usage`: the tokens of the prompt and of the answer so far. */
  z.object({ type: z.literal('text'), text: z.string(), usage: z.optional(usage) }),
  z.object({
    type: z.literal('finished'),
    usage: z.nullable(usage),
    finishReason: part.finishReason,
    speed: z.nullable(speed),
  }),
] as const;

const textModelReport = z.discriminatedUnion('type', [...MODEL_REPORTS, ...TEXT_REPORTS]);

export type ModelReport = z.infer<(typeof MODEL_REPORTS)[number]>;
export type TextReport = z.infer<(typeof TEXT_REPORTS)[number]>;

/** Parses a report. Throws a `ZodError` for an invalid report. */
export const readTextModelReport = (data: unknown): ModelReport | TextReport => textModelReport.parse(data);
