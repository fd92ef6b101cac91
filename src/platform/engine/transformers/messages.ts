/**
 * @file What page and worker say to each other, parsed on arrival. One worker holds one model; its calls have numbers.
 */
import * as z from 'zod/mini';
import type { EngineSpeed, Fault, LoadProgress, Usage } from '../../../core/contract';
import * as part from '../../../core/contract/schema-parts';
import type { Named } from '../faults';

const hub = z.object({
  kind: z.literal('hub'),
  host: z.string(),
  id: z.string(),
  revision: z.nullable(z.string()),
});
const folder = z.object({
  kind: z.literal('folder'),
  files: z.array(z.object({ path: z.string(), file: z.instanceof(File) })),
});
const device = z.enum(['webgpu', 'wasm']);
const bound = z.object({
  opens: z.nullable(z.string()),
  closes: z.string(),
  ends: z.array(z.string()),
  tokens: z.int(),
});
const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifestId: z.string(),
    label: z.string(),
    source: z.discriminatedUnion('kind', [hub, folder]),
    device,
    /** Whether the GPU computes with half precision. */
    half: z.boolean(),
    /** Tokens that the model may be given and write together. */
    context: z.int().check(z.positive()),
  }),
  z.object({
    type: z.literal('generate'),
    call: z.int(),
    messages: z.array(message),
    grammar: z.nullable(z.string()),
    bounds: z.array(bound),
    temperature: z.number(),
    maxTokens: z.int().check(z.positive()),
    seed: z.optional(z.number()),
  }),
  z.object({ type: z.literal('stop'), call: z.int() }),
]);

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type GenerateCommand = Extract<Command, { type: 'generate' }>;

export type Report =
  | { readonly type: 'progress'; readonly progress: LoadProgress }
  /** `engine` names the library, its version and how the numbers are kept. */
  | { readonly type: 'loaded'; readonly engine: string }
  /** Before `loaded`: why it will not be. After it: why the model is gone. Nothing follows. */
  | { readonly type: 'lost'; readonly fault: Fault }
  | { readonly type: 'text'; readonly call: number; readonly text: string }
  | {
      readonly type: 'finished';
      readonly call: number;
      readonly usage: Usage;
      readonly finishReason: 'stop' | 'length';
      readonly speed: EngineSpeed;
    }
  /** The call failed; the model is well. */
  | { readonly type: 'failed'; readonly call: number; readonly fault: Fault }
  | { readonly type: 'stopped'; readonly call: number };

const count = z.nullable(z.number());

const report: z.ZodMiniType<Report> = z.discriminatedUnion('type', [
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
  z.object({ type: z.literal('loaded'), engine: z.string() }),
  z.object({ type: z.literal('lost'), fault: part.fault }),
  z.object({ type: z.literal('text'), call: z.int(), text: z.string() }),
  z.object({
    type: z.literal('finished'),
    call: z.int(),
    usage: z.object({ input: z.number(), output: z.number() }),
    finishReason: z.enum(['stop', 'length']),
    speed: part.speed,
  }),
  z.object({ type: z.literal('failed'), call: z.int(), fault: part.fault }),
  z.object({ type: z.literal('stopped'), call: z.int() }),
]);

/** What sentences about this model name. */
export function namedOf({ label, source }: LoadCommand): Named {
  return { label, host: source.kind === 'hub' ? new URL(source.host).host : null };
}

/** Both throw on what is not one of ours. */
export const readCommand = (data: unknown): Command => command.parse(data);
export const readReport = (data: unknown): Report => report.parse(data);
