/** @file Loads a sentence model from the cache. If allowed, downloads missing files from a hub first. */
import { AutoConfig, AutoModel, AutoTokenizer, FeatureExtractionPipeline } from '@huggingface/transformers';
import { FaultError, toFault } from '../../../core/contract';
import type { Named } from '../engine-faults';
import { chooseFiles, type NumericForm } from '../transformers/choose-files';
import { bring, bringCounted, find, noteDown, type SizedFile } from '../transformers/download';
import type { ModelFiles } from '../transformers/files';
import { hubFiles } from '../transformers/hub-files';
import { FILE, MODEL_ID, readSettings, serveToLibrary } from '../transformers/model-files';
import type { Progress } from '../transformers/progress';
import { useRuntime } from '../transformers/runtime';
import { openRuntime, RUNTIME_BYTES } from '../transformers/runtime-file';
import { missingFault, readingFault, runtimeFault, missingRuntimeFault, sessionFault } from './sentence-faults';
import { namedOf, type LoadCommand } from './messages';

/** Selects the CPU and 8-bit weights. 8-bit weights are almost as accurate as 32-bit weights, and a quarter of their size. */
const MACHINE = { device: 'wasm', half: false } as const;
const SMALL = [FILE.config, FILE.tokenizerConfig];

export interface LoadedSentenceModel {
  readonly extract: FeatureExtractionPipeline;
  readonly form: NumericForm;
}

/** Throws a `FaultError` if files of the model or the runtime are missing or damaged, or if this machine can't run the model. */
export async function loadSentenceModel(command: LoadCommand, progress: Progress): Promise<LoadedSentenceModel> {
  const named = namedOf(command);
  const hub = await hubFiles(command.source, named);
  const files = command.fetches ? hub : keptFiles(hub, named);
  serveToLibrary(files);
  const isRuntimeHere = (await openRuntime()) !== null;
  if (!isRuntimeHere && !command.fetches) throw new FaultError(missingRuntimeFault(named));

  const { config, form } = await bringAll(files, command, progress, isRuntimeHere ? 0 : RUNTIME_BYTES);
  await useRuntime((count) => progress.arrived(count)).catch((thrown: unknown) => {
    throw new FaultError(runtimeFault(named, navigator.onLine, String(thrown).slice(0, 500)));
  });
  progress.enter('loading');
  const tokenizer = await reading(AutoTokenizer.from_pretrained(MODEL_ID), named);
  progress.enter('compiling');
  const { device } = MACHINE;
  const model = await AutoModel.from_pretrained(MODEL_ID, { config, device, dtype: form }).catch((thrown: unknown) => {
    throw new FaultError(sessionFault(thrown, named));
  });
  return { extract: new FeatureExtractionPipeline({ task: 'feature-extraction', model, tokenizer }), form };
}

/**
 * Chooses the numeric format, and downloads missing files if the command allows it.
 * @param more bytes of later downloads, included in the reported total
 */
async function bringAll(files: ModelFiles, command: LoadCommand, progress: Progress, more: number) {
  const named = namedOf(command);
  try {
    progress.expect(0, null);
    await bring(files, FILE.config, named);
    await reading(readSettings(files, named), named);
    const config = await reading(AutoConfig.from_pretrained(MODEL_ID), named);
    const { form, weights } = await chooseFiles(files, { id: MODEL_ID, config }, MACHINE, named);
    await bring(files, FILE.tokenizerConfig, named);
    const large = [await find(files, FILE.tokenizer, named), ...weights];
    await bringCounted(command.fetches ? notedFiles(files, command, large) : files, large, named, progress, more);
    for (const path of [...SMALL, ...large.map((file) => file.path)]) {
      if (!(await files.open(path))) throw new FaultError(missingFault(named));
    }
    return { config, form };
  } catch (thrown) {
    if (!command.fetches && toFault(thrown).code === 'not-found') throw new FaultError(missingFault(named));
    throw thrown;
  }
}

function reading<T>(work: Promise<T>, named: Named): Promise<T> {
  return work.catch((thrown: unknown) => {
    throw new FaultError(readingFault(thrown, named));
  });
}

/**
 * Records the model’s files before and after each download, because another tab may delete the record during the download.
 * Without a record, the files could not be listed or deleted.
 */
function notedFiles(files: ModelFiles, command: LoadCommand, large: readonly SizedFile[]): Pick<ModelFiles, 'bring'> {
  const { manifestId, source } = command;
  const note = () => noteDown({ manifestId, source, small: SMALL, large });
  return {
    async bring(path, onbytes) {
      await note();
      const isThere = await files.bring(path, onbytes);
      await note();
      return isThere;
    },
  };
}

/** Access to the files on this machine only. `bring` throws a `FaultError` if the file is missing. */
function keptFiles(hub: ModelFiles, named: Named): ModelFiles {
  return {
    find: async (path) => ((await hub.open(path)) ? hub.find(path) : null),
    async bring(path) {
      if (await hub.open(path)) return true;
      throw new FaultError(missingFault(named));
    },
    open: (path) => hub.open(path),
  };
}
