/** @file From a hub, or what was kept of it, to a sentence model that can be asked. */
import { AutoConfig, AutoModel, AutoTokenizer, FeatureExtractionPipeline } from '@huggingface/transformers';
import { FaultError } from '../../../core/contract';
import type { Named } from '../faults';
import { chooseFiles, type NumericForm } from '../transformers/choose-files';
import { bring, bringCounted, find, noteDown } from '../transformers/download';
import type { ModelFiles } from '../transformers/files';
import { hubFiles } from '../transformers/hub-files';
import { FILE, MODEL_ID, readSettings, serveToLibrary } from '../transformers/model-files';
import type { Progress } from '../transformers/progress';
import { useRuntime } from '../transformers/runtime';
import { goneFault, runtimeFault } from './faults';
import { namedOf, type LoadCommand } from './messages';

/** 8-bit weights lose next to nothing, and are a quarter of the download. */
const MACHINE = { device: 'wasm', half: false } as const;

export interface LoadedSentenceModel {
  readonly extract: FeatureExtractionPipeline;
  readonly form: NumericForm;
}

/** Throws a `FaultError`, or whatever the library throws at files that are not what they should be. */
export async function loadSentenceModel(command: LoadCommand, progress: Progress): Promise<LoadedSentenceModel> {
  const named = namedOf(command);
  const hub = await hubFiles(command.source, named);
  const files = command.fetches ? hub : keptFiles(hub, named);
  serveToLibrary(files);

  progress.expect(0, null);
  await bring(files, FILE.config, named);
  await readSettings(files, named);
  const config = await AutoConfig.from_pretrained(MODEL_ID);
  const { form, weights } = await chooseFiles(files, { id: MODEL_ID, config }, MACHINE, named);
  await bring(files, FILE.tokenizerConfig, named);
  const large = [await find(files, FILE.tokenizer, named), ...weights];
  if (command.fetches) {
    const { manifestId, source } = command;
    await noteDown({ manifestId, source, small: [FILE.config, FILE.tokenizerConfig], large });
  }
  await bringCounted(files, large, named, progress);

  progress.enter('loading');
  await useRuntime().catch((thrown: unknown) => {
    throw new FaultError(runtimeFault(named, navigator.onLine, String(thrown).slice(0, 500)));
  });
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ID);
  progress.enter('compiling');
  const { device } = MACHINE;
  const model = await AutoModel.from_pretrained(MODEL_ID, { config, device, dtype: form });
  return { extract: new FeatureExtractionPipeline({ task: 'feature-extraction', model, tokenizer }), form };
}

/** What is on this machine and no more: nothing is fetched that nobody asked for. Throws a `FaultError` where a file is gone. */
function keptFiles(hub: ModelFiles, named: Named): ModelFiles {
  return {
    find: async (path) => ((await hub.open(path)) ? hub.find(path) : null),
    async bring(path) {
      if (await hub.open(path)) return true;
      throw new FaultError(goneFault(named));
    },
    open: (path) => hub.open(path),
  };
}
