/**
 * @file The messages from the page to WebLLM's Web Worker. The Web Worker validates them on
 * arrival. The replies are in `reports.ts`. WebLLM's own protocol is not used, because it has three
 * drawbacks:
 * - The page must load the whole package (6.8 MB), too.
 * - The page must request each token with a message.
 * - Errors are passed as strings.
 */
import * as z from 'zod/mini';
import { manifestSchema } from '../../../core/contract/model/manifest-schema';
import { generate } from '../generate-command';

const folderFiles = z.array(z.object({ path: z.string(), file: z.instanceof(File) }));

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifest: manifestSchema,
    /** Files of the model folder that the user picked. Empty if the user picked no folder. */
    files: folderFiles,
  }),
  generate,
]);

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;

/** Parses a command. Throws a `ZodError` for any other data. */
export const readCommand = (data: unknown): Command => command.parse(data);
