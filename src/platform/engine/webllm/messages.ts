/**
 * @file The messages from the page to the Worker, validated on arrival. The Worker's reports are in `reports.ts`. WebLLM's own
 * protocol is not used, because it needs the whole package (6.8 MB) on the page as well, requests each token, and passes errors
 * as strings.
 */
import * as z from 'zod/mini';
import { manifestSchema } from '../../../core/contract/model/manifest-schema';

const folderFiles = z.array(z.object({ path: z.string(), file: z.instanceof(File) }));
const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifest: manifestSchema,
    /** Files of a model from a folder. None: the folder was not picked, and only the cache is used. */
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

/** Throws a `ZodError` for anything but a command. */
export const readCommand = (data: unknown): Command => command.parse(data);
