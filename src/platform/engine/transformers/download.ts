/** @file Downloads all files of a model. The small files come first, because they show whether the model can run. */
import { AutoConfig, AutoModelForCausalLM } from '@huggingface/transformers';
import { FaultError } from '../../../core/contract';
import { writeReceipt } from '../receipts';
import { chooseFiles, type NumericForm } from './choose-files';
import type { Named } from '../engine-faults';
import { missingFile, wrongTypeFault } from './transformers-faults';
import type { FoundFile, ModelFiles } from './files';
import { HUB_CACHE, hubAddress, type HubModel } from './hub-address';
import { namedOf, type LoadCommand } from './messages';
import { FILE, MODEL_ID, readSettings, type Settings } from './model-files';
import type { Progress } from './progress';

export interface Downloaded {
  readonly form: NumericForm;
  readonly settings: Settings;
  readonly config: Awaited<ReturnType<typeof AutoConfig.from_pretrained>>;
}

export interface SizedFile extends Pick<FoundFile, 'size' | 'isHere'> {
  readonly path: string;
}

/**
 * Downloads the missing files. Complete files stay stored if a later download fails. Throws a `FaultError`, or an error of
 * transformers.js.
 */
export async function download(files: ModelFiles, command: LoadCommand, progress: Progress): Promise<Downloaded> {
  const named = namedOf(command);
  progress.expect(0, null);
  await bring(files, FILE.config, named);
  const settings = await readSettings(files, named);
  if (!AutoModelForCausalLM.supports(settings.model_type)) {
    throw new FaultError(wrongTypeFault(settings.model_type, named));
  }
  const config = await AutoConfig.from_pretrained(MODEL_ID);
  const { form, weights } = await chooseFiles(files, { id: MODEL_ID, config }, command, named);
  await bring(files, FILE.tokenizerConfig, named);
  for (const path of [FILE.generation, FILE.template]) await files.bring(path, () => undefined);

  const large = [await find(files, FILE.tokenizer, named), ...weights];
  const { source, manifestId } = command;
  const small = [FILE.config, FILE.tokenizerConfig, FILE.generation, FILE.template];
  if (source.kind === 'hub') await noteDown({ manifestId, source, small, large });
  await bringCounted(files, large, named, progress);
  return { form, settings, config };
}

/**
 * Downloads files one after the other, and reports the received bytes.
 * @param more bytes of later files, included in the total
 */
export async function bringCounted(
  files: Pick<ModelFiles, 'bring'>,
  large: readonly SizedFile[],
  named: Named,
  progress: Progress,
  more = 0,
): Promise<void> {
  const here = large.reduce((sum, { isHere, size }) => sum + (isHere ? (size ?? 0) : 0), 0);
  const total = totalOf(large);
  progress.expect(here, total === null ? null : total + more);
  for (const { path } of large) await bring(files, path, named, (count) => progress.arrived(count));
}

/** Downloads one file, unless it is already on this machine. Throws a `FaultError` if the model has no such file. */
export async function bring(
  files: Pick<ModelFiles, 'bring'>,
  path: string,
  named: Named,
  onbytes: (count: number) => void = () => undefined,
): Promise<void> {
  if (!(await files.bring(path, onbytes))) throw new FaultError(missingFile(path, named));
}

/** Finds one file. Throws a `FaultError` if the model has no such file. */
export async function find(files: ModelFiles, path: string, named: Named): Promise<SizedFile> {
  const found = await files.find(path);
  if (!found) throw new FaultError(missingFile(path, named));
  return { path, ...found };
}

function totalOf(files: readonly SizedFile[]): number | null {
  let total = 0;
  for (const { size } of files) {
    if (size === null) return null;
    total += size;
  }
  return total;
}

export interface Noted {
  readonly manifestId: string;
  readonly source: HubModel;
  readonly small: readonly string[];
  readonly large: readonly SizedFile[];
}

/** Records a model's files in a receipt, so that even an incomplete model can be listed and deleted. */
export async function noteDown({ manifestId, source, small, large }: Noted): Promise<void> {
  const files = [...small.map((path) => ({ path, size: 0 })), ...large].map(({ path, size }) => ({
    cache: HUB_CACHE,
    url: hubAddress(source, path),
    bytes: size ?? 0,
  }));
  await writeReceipt({ manifestId, files }, caches);
}
