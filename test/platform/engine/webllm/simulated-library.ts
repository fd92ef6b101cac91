/**
 * @file Runs the installed WebLLM with a simulated model instead of a model compiled to WebAssembly (WebLLM's "library"). The
 * logits depend on every token in the cache, so a wrong cache changes the answers. All other code is WebLLM's own.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MLCEngine } from '@mlc-ai/web-llm';
import { TokenTexts } from '../../../../src/platform/engine/token-texts';
import { BoundsProcessor, skipWhileUnneeded } from '../../../../src/platform/engine/webllm/bounds-processor';
import { KeptPrompt } from '../../../../src/platform/engine/webllm/kept-prompt';
import { Reading } from '../../../../src/platform/engine/webllm/reading';
import { pipelineOf, templatedRoles, textsOf, type Pipeline } from '../../../../src/platform/engine/webllm/pipeline';
import type { Launched } from '../../../../src/platform/engine/webllm/serve';
import { seededRandom } from '../../../../src/core/contract';
import { SimulatedRuntime, type SimulatedModel } from './simulated-runtime';
import { SimulatedTokenizer, STOP_TOKEN, VOCABULARY_SIZE } from './simulated-tokenizer';

const MODEL = 'simulated';

/**
 * The exports of the modified copy of WebLLM that `load` imports. The installed package does not export
 * `LLMChatPipeline`.
 */
interface Internals {
  readonly MLCEngine: typeof MLCEngine;
  readonly LLMChatPipeline: new (...args: readonly unknown[]) => object;
}

export interface Simulated extends Pick<Launched, 'engine' | 'bounds' | 'prompts' | 'reading' | 'templated'> {
  readonly pipeline: Pipeline;
  readonly model: SimulatedModel;
}

export interface SimulatedOptions {
  /** Maximum number of tokens of prompt and answer together. */
  readonly context?: number;
  /** Whether prompts stay in the cache, as in Podium. Default true. */
  readonly keepsPrompts?: boolean;
  readonly slidingWindow?: number;
  /** Name of a function that the library lacks. */
  readonly lacks?: string;
  /** Maximum number of tokens that the library reads in one pass. */
  readonly chunk?: number;
}

let internals: Promise<Internals> | null = null;

async function load(): Promise<Internals> {
  // The copy of xgrammar inside WebLLM looks for these global names.
  const require = createRequire(import.meta.url);
  Object.assign(globalThis, { require, createRequire, __filename: fileURLToPath(import.meta.url) });
  const installed = require.resolve('@mlc-ai/web-llm');
  const folder = await mkdtemp(join(tmpdir(), 'podium-web-llm-'));
  try {
    // Vitest does not transform files in a folder named `node_modules`.
    const file = join(folder, 'node_modules', 'web-llm.mjs');
    await mkdir(join(folder, 'node_modules'));
    const source = (await readFile(installed, 'utf8')).replaceAll('"MLC_DUMMY_PATH"', 'import.meta.url');
    await writeFile(file, `${source}\nexport { LLMChatPipeline };\n`);
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Internals;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A loaded engine, prepared as in `src/platform/engine/webllm/launch.ts`. */
export async function simulatedEngine(options: SimulatedOptions = {}): Promise<Simulated> {
  const { context = 4096, keepsPrompts = true, slidingWindow = -1, lacks, chunk = 64 } = options;
  internals ??= load();
  const { MLCEngine, LLMChatPipeline } = await internals;
  const bounds: BoundsProcessor = new BoundsProcessor(new TokenTexts(() => textsOf(pipelineOf(engine, MODEL))));
  const engine = new MLCEngine({
    appConfig: { model_list: [] },
    logLevel: 'SILENT',
    logitProcessorRegistry: new Map([[MODEL, bounds]]),
  });
  const runtime = new SimulatedRuntime({ size: VOCABULARY_SIZE, seededRandom, lacks, chunk });
  const config = configOf(context, slidingWindow);
  const made = new LLMChatPipeline(runtime.tvm, new SimulatedTokenizer(), config, bounds);
  const registered = {
    loadedModelIdToPipeline: made,
    loadedModelIdToChatConfig: config,
    loadedModelIdToModelType: 0,
    loadedModelIdToLock: new Lock(),
  };
  for (const [name, value] of Object.entries(registered)) {
    const map: unknown = Reflect.get(engine, name);
    if (!(map instanceof Map)) throw new Error(`WebLLM has no ${name}.`);
    map.set(MODEL, value);
  }
  const pipeline = pipelineOf(engine, MODEL);
  skipWhileUnneeded(pipeline, bounds);
  const prompts = keepsPrompts ? KeptPrompt.attach(pipeline) : null;
  const reading = new Reading(pipeline);
  return { engine, pipeline, model: runtime.model, bounds, prompts, reading, templated: templatedRoles(pipeline) };
}

class Lock {
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  async acquire(): Promise<void> {
    const before = this.#last;
    this.#last = new Promise((resolve) => {
      const release = resolve;
      void before.then(() => (this.#release = release));
    });
    await before;
  }

  release(): void {
    this.#release();
  }
}

/** A model's configuration with the conversation template of Qwen2.5. */
function configOf(context: number, slidingWindow: number): object {
  return {
    tokenizer_files: ['tokenizer.json'],
    tokenizer_info: { token_postproc_method: 'byte_level', prepend_space_in_encode: false },
    vocab_size: VOCABULARY_SIZE,
    context_window_size: slidingWindow === -1 ? context : -1,
    sliding_window_size: slidingWindow,
    attention_sink_size: slidingWindow === -1 ? -1 : 4,
    repetition_penalty: 1.1,
    frequency_penalty: 0,
    presence_penalty: 0,
    top_p: 1,
    temperature: 0.7,
    conv_template: {
      system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
      system_message: 'You are a helpful assistant.',
      roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant' },
      role_templates: { user: '{user_message}', assistant: '{assistant_message}', tool: '{tool_message}' },
      seps: ['<|im_end|>\n'],
      role_content_sep: '\n',
      role_empty_sep: '\n',
      stop_str: [],
      stop_token_ids: [STOP_TOKEN],
    },
  };
}
