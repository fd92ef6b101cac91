/**
 * @file The messages from the page to WebLLM's Web Worker, validated on arrival. The Web Worker's reports are in `reports.ts`.
 * WebLLM's own protocol has three drawbacks. It needs the whole package (6.8 MB) on the page as well, it sends a message for each
 * token, and it passes errors as strings.
 */
import * as z from 'zod/mini';
import { manifestSchema } from '../../../core/contract/model/manifest-schema';
import { TEXT_COMMANDS } from '../generate-command';

const folderFiles = z.array(z.object({ path: z.string(), file: z.instanceof(File) }));

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifest: manifestSchema,
    /** Files of a model folder that the user picked. Empty if no folder was picked. */
    files: folderFiles,
  }),
  ...TEXT_COMMANDS,
]);

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;

/** Parses a command. Throws a `ZodError` for any other data. */
export const readCommand = (data: unknown): Command => command.parse(data);
