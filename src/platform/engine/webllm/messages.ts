/**
 * @file What page and worker say to each other, parsed on arrival. WebLLM has a protocol of its own for workers; this one is
 * ours because that one needs the whole package (6.8 MB) in the page as well, asks for each token in turn, and hands over
 * errors as strings. One worker holds one model; its calls have numbers.
 */
import * as z from 'zod/mini';
import type { EngineSpeed, Fault } from '../../../core/contract';
import { manifestSchema } from '../../../core/contract/manifest-schema';
import * as part from '../../../core/contract/schema-parts';

const folderFiles = z.array(z.object({ path: z.string(), file: z.instanceof(File) }));
const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifest: manifestSchema,
    /** Of a model from a folder. None: it was not picked; what is in the cache must do. */
    files: folderFiles,
  }),
  z.object({
    type: z.literal('generate'),
    call: z.int(),
    messages: z.array(message),
    grammar: z.nullable(z.string()),
    temperature: z.number(),
    maxTokens: z.int().check(z.positive()),
    seed: z.optional(z.number()),
  }),
  z.object({ type: z.literal('stop'), call: z.int() }),
]);

const bytes = z.nullable(z.number());
const fault: z.ZodMiniType<Fault> = part.fault;
const speed: z.ZodMiniType<EngineSpeed> = part.speed;

const report = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    progress: z.object({
      phase: z.enum(['fetching', 'loading', 'compiling', 'warming']),
      loaded: bytes,
      total: bytes,
      speed: z.nullable(z.number()),
      cached: z.boolean(),
    }),
  }),
  /** `digest` names the weights that were loaded. */
  z.object({ type: z.literal('loaded'), digest: z.string() }),
  /** Before `loaded`: why it will not be. After it: why the model is gone. Nothing follows. */
  z.object({ type: z.literal('lost'), fault }),
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
]);

export type Command = z.infer<typeof command>;
export type Report = z.infer<typeof report>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type GenerateCommand = Extract<Command, { type: 'generate' }>;
/** What is said of a call. */
export type CallReport = Extract<Report, { call: number }>;

/** Both throw on what is not one of ours. */
export const readCommand = (data: unknown): Command => command.parse(data);
export const readReport = (data: unknown): Report => report.parse(data);
