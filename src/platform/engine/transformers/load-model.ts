/** @file Downloads a model's missing files, and loads the model with transformers.js. */
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { FaultError } from '../../../core/contract';
import { codeFault } from '../code-fault';
import type { NumericForm } from './choose-files';
import { download } from './download';
import { noTemplateFault } from './transformers-faults';
import { folderFiles } from './files';
import { Grammars } from './grammar-mask';
import { KeptPrefix } from './kept-prefix';
import { hubFiles } from './hub-files';
import { namedOf, type LoadCommand } from './messages';
import { FILE, MODEL_ID, readEnds, serveToLibrary } from './model-files';
import type { Progress } from './progress';
import { useRuntime } from './runtime';
import { readVocabulary } from './vocabulary';

export interface LoadedModel {
  readonly model: PreTrainedModel;
  readonly tokenizer: PreTrainedTokenizer;
  readonly grammars: Grammars;
  readonly prefix: KeptPrefix;
  readonly form: NumericForm;
  /** Maximum number of tokens in the prompt and the answer together. */
  readonly context: number;
  /** Tokens that end an answer. */
  readonly ends: readonly number[];
}

/** Downloads and loads a model. Throws a `FaultError` or an error of transformers.js. */
export async function loadModel(command: LoadCommand, progress: Progress): Promise<LoadedModel> {
  const { source, device } = command;
  const named = namedOf(command);
  const files = source.kind === 'hub' ? await hubFiles(source, named) : folderFiles(source.files);
  serveToLibrary(files);
  const { form, settings, config } = await download(files, command, progress);

  progress.enter('loading');
  await useRuntime().catch((thrown: unknown) => {
    throw new FaultError(codeFault(named, navigator.onLine, thrown));
  });
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ID);
  tokenizer.chat_template ??= (await (await files.open(FILE.template))?.text()) ?? null;
  if (tokenizer.chat_template === null) throw new FaultError(noTemplateFault(named));

  // Only models on the GPU are compiled.
  if (device === 'webgpu') progress.enter('compiling');
  const model = await AutoModelForCausalLM.from_pretrained(MODEL_ID, { config, device, dtype: form });
  const ends = await readEnds(files, settings, named);
  const vocabulary = await readVocabulary(files, named);
  const size = settings.vocab_size ?? settings.text_config?.vocab_size ?? vocabulary.tokens.length;
  const longest = settings.max_position_embeddings ?? settings.text_config?.max_position_embeddings;
  return {
    model,
    tokenizer,
    grammars: await Grammars.create({ vocabulary, size, ends }),
    prefix: new KeptPrefix(model, tokenizer),
    form,
    context: Math.min(command.context, longest ?? command.context),
    ends,
  };
}
