/** @file Exports a Conductor's prompt to a file, and reads and validates a prompt from a file. */
import * as z from 'zod/mini';
import { fault, FaultError, parseJson, type ConductorPrompt } from '../../core/contract';
import { conductorPromptSchema } from '../../core/contract/workflow/conductor-prompt-schema';
import { shownName } from '../state/file-name';
import { fileText } from '../state/file-text';
import { chooseTarget, type ChooseTarget } from '../state/save-file';

const FORMAT = 'podium-conductor-prompt';
/** Maximum size of a prompt file, bytes. Every valid prompt is smaller. */
const LARGEST = 1_000_000;

const fileSchema = z.object({ format: z.literal(FORMAT), version: z.literal(1), prompt: conductorPromptSchema });

/** Asks where to save, and writes the prompt as JSON. */
export async function exportPrompt(
  prompt: ConductorPrompt,
  signal: AbortSignal,
  choose: ChooseTarget = chooseTarget,
): Promise<void> {
  const target = await choose('podium-conductor-prompt.json');
  const content = JSON.stringify({ format: FORMAT, version: 1, prompt }, null, 2);
  await target?.write(new Blob([`${content}\n`]).stream(), signal);
}

/** Reads a prompt from a file. Throws a `FaultError` if the file has no valid prompt. */
export async function importPrompt(file: File): Promise<ConductorPrompt> {
  const read = file.size <= LARGEST ? fileSchema.safeParse(parseJson(await fileText(file))) : null;
  if (read?.success) return read.data.prompt;
  const message = `${shownName(file.name)} is not a Conductor’s prompt that this version can read. Choose a file written by Export on this page. Nothing was changed.`;
  throw new FaultError(fault('bad-request', message));
}
