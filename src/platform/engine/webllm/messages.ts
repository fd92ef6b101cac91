/**
 * @file What the page says to the worker, parsed on arrival; what the worker says back stands in `reports.ts`. WebLLM has a
 * protocol of its own for workers; this one is ours because that one needs the whole package (6.8 MB) in the page as well, asks
 * for each token in turn, and hands over errors as strings.
 */
import * as z from 'zod/mini';
import { manifestSchema } from '../../../core/contract/model/manifest-schema';

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

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;
export type GenerateCommand = Extract<Command, { type: 'generate' }>;

/** Throws on what is not one of ours. */
export const readCommand = (data: unknown): Command => command.parse(data);
