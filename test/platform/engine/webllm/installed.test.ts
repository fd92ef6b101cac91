/**
 * @file Tests that the installed WebLLM has the parts that Podium relies on. A test fails if an upgrade of WebLLM changes one of
 * them.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as webllm from '@mlc-ai/web-llm';
import { version } from '@mlc-ai/web-llm/package.json';
import { describe, expect, it, vi } from 'vitest';
import { FaultError } from '../../../../src/core/contract';
import { createPrefixRemover } from '../../../../src/platform/engine/webllm/empty-thought';
import { callFault, loadFault } from '../../../../src/platform/engine/webllm/webllm-faults';
import { CONFIG_FILE, WEIGHTS_FILE } from '../../../../src/platform/engine/webllm/model-files';
import { pipelineOf } from '../../../../src/platform/engine/webllm/pipeline';
import { readProgress } from '../../../../src/platform/engine/webllm/progress';
import { modelRecord } from '../../../../src/platform/engine/webllm/record';
import {
  MODEL_FUNCTIONS,
  RUNTIME_EXPORTS,
  RUNTIME_FUNCTIONS,
} from '../../../../src/platform/engine/webllm/runtime-needs';
import { scriptedManifest } from './scripted-engine';
import { simulatedEngine } from './simulated-library';

const { resolve } = createRequire(import.meta.url);
const source = await readFile(resolve('@mlc-ai/web-llm'), 'utf8');
const named = { label: 'A model', host: null };

/** Finds a string or template in WebLLM's source that begins with these words. Returns its text up to the first placeholder. */
function wordsWith(beginning: string): string {
  const found = new RegExp(`["\`]${beginning}[^"\`$]*`).exec(source);
  if (!found) throw new Error(`WebLLM ${version} has no text that begins with ${beginning}.`);
  return found[0].slice(1);
}

describe('the installed WebLLM', () => {
  it('exports the model list and the methods that Podium’s engine uses', () => {
    expect(webllm.prebuiltAppConfig.model_list.length).toBeGreaterThan(100);
    const methods = ['reload', 'interruptGenerate', 'setLogitProcessorRegistry', 'chatCompletion'];
    for (const name of methods) expect(Reflect.get(webllm.MLCEngine.prototype, name), name).toBeTypeOf('function');
    expect(source).toContain('.logitProcessorRegistry) === null || _a === void 0 ? void 0 : _a.get(modelId)');
  });

  it('calls the functions of a library by the names that Podium looks for', () => {
    const exported = [...source.matchAll(/\.exports\s*\.(TVM\w+)/g)].map(([, name]) => name ?? '');
    expect([...RUNTIME_EXPORTS]).toEqual([...new Set([...exported, 'TVMWasmAllocSpace', 'TVMWasmFreeSpace'])].sort());
    const [, lookups = ''] = /class RuntimeContext \{\s*constructor\(getGlobalFunc\) \{([^}]*)\}/.exec(source) ?? [];
    const functions = [...lookups.matchAll(/getGlobalFunc\("([^"]+)"\)/g)].map(([, name]) => name ?? '');
    expect([...RUNTIME_FUNCTIONS]).toEqual(functions.sort());
    for (const name of MODEL_FUNCTIONS) expect(source).toContain(`getRequiredVMFunctionByName("${name}",`);
    expect(source).toContain('this.vm.getFunction("_metadata")');
    expect(source).toContain('paramNames.push(param.name)');
  });

  it('has a pipeline with the parts that Podium uses', async () => {
    const { engine } = await simulatedEngine();
    expect(pipelineOf(engine, 'simulated').filledKVCacheLength).toBe(0);
    expect(() => pipelineOf(engine, 'another')).toThrow(TypeError);
    expect(() => pipelineOf({}, 'simulated')).toThrow(TypeError);
    expect(source).toContain('this.loadedModelIdToPipeline.set(modelId, newPipeline)');
    // Podium calls a function of the compiled library that WebLLM never calls, so WebLLM's source doesn't contain
    // the function's name. The first line below checks the name of a similar function instead. The second line
    // checks how WebLLM creates scalar arguments.
    expect(source).toContain('"vm.builtin.kv_state_clear"');
    expect(source).toMatch(/scalar\(value, dtype\) \{\s*return new Scalar\(value, dtype\);/);
  });

  it('takes the size of the passes over a prompt from `prefillChunkSize`, which Podium changes', () => {
    expect(source).toContain('getChunkedPrefillInputData(inputData, this.prefillChunkSize, getEmbedSize)');
    expect(source).toContain('yield this.embedAndForward(chunks[i], chunkLens[i])');
  });

  // To stop a call while its prompt is read, Podium throws an error from `embedAndForward`.
  it('releases its scope and lock if reading a prompt fails, and then answers the next call', async () => {
    const { engine, pipeline } = await simulatedEngine();
    const [begun, ended] = [vi.spyOn(pipeline.tvm, 'beginScope'), vi.spyOn(pipeline.tvm, 'endScope')];
    const depth = () => begun.mock.calls.length - ended.mock.calls.length;
    const forward = vi.spyOn(pipeline, 'embedAndForward');
    const depths: number[] = [];
    forward.mockImplementationOnce(() => {
      depths.push(depth());
      return Promise.reject(new Error('stopped'));
    });
    const answer = async () => {
      const chunks = await engine.chat.completions.create({
        messages: [{ role: 'user', content: 'Hello' }],
        stream: true,
        max_tokens: 1,
      });
      let count = 0;
      for await (const chunk of chunks) count += chunk.choices.length;
      return count;
    };
    await expect(answer()).rejects.toThrow('stopped');
    expect(depths).toEqual([1]);
    expect(depth()).toBe(0);
    // This call would wait forever for a lock that was not released.
    expect(await answer()).toBeGreaterThan(0);
    expect(depth()).toBe(0);
  });

  it('passes each token of an answer to Podium, which counts the tokens', async () => {
    const { engine, bounds } = await simulatedEngine();
    const chunks = await engine.chat.completions.create({
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
    });
    let counted: number | undefined;
    for await (const { usage } of chunks) counted = usage?.completion_tokens ?? counted;
    expect(counted).toBe(9);
    expect(bounds.tokens).toBe(counted);
  });

  // If this test fails, check whether Podium can now reuse the cached prompts of Qwen3.5, see `kept-prompt.ts`.
  it('keeps one sequence and, for Qwen3.5, one recurrent state, so it can’t restore an earlier state', () => {
    expect(source).toContain('const defaultMaxNumSequence = 1;');
    expect(source).not.toContain('kv_state_fork_sequence');
    const hybrid = webllm.prebuiltAppConfig.model_list.filter(({ model_id }) => model_id.startsWith('Qwen3.5-'));
    expect(hybrid.length).toBeGreaterThan(0);
    const histories = new Set(
      hybrid.map(({ overrides }) => Reflect.get(overrides ?? {}, 'max_history_size') as unknown),
    );
    expect([...histories]).toEqual([1]);
  });

  it('uses the same names for caches and files as Podium', () => {
    for (const cache of ['webllm/config', 'webllm/model', 'webllm/wasm']) expect(source).toContain(`"${cache}"`);
    expect(webllm.TENSOR_CACHE_MANIFEST_FILENAME).toBe(WEIGHTS_FILE);
    expect(source).toContain(`"${CONFIG_FILE}"`);
    expect(source).toContain('"tokenizer.json"');
    expect(source).toContain('resolve/main/');
  });

  it('has a model list that uses every field of Podium’s model record', () => {
    const known = webllm.prebuiltAppConfig.model_list.flatMap((record) => Object.keys(record));
    const record = modelRecord(scriptedManifest, []);
    for (const field of Object.keys(record)) expect(known).toContain(field);
  });

  it('reports progress in sentences that Podium can parse', () => {
    const reported = (beginning: string) => readProgress({ progress: 0.5, text: wordsWith(beginning) }, 100);
    expect(reported('Loading model from cache')).toMatchObject({ phase: 'loading', loaded: 50 });
    expect(reported('Loading GPU shader modules')).toMatchObject({ phase: 'compiling' });
  });

  it('throws the errors that Podium recognizes', () => {
    const errorOf = (name: string, message = '') => {
      expect(source, name).toContain(`this.name = "${name}"`);
      return Object.assign(new Error(message), { name });
    };
    for (const name of ['IntegrityError', 'ShaderF16SupportError', 'WebGPUNotAvailableError', 'DeviceLostError']) {
      expect(loadFault(errorOf(name), named).code, name).not.toBe('internal');
    }
    for (const name of ['ContextWindowSizeExceededError', 'GrammarMatcherInitError']) {
      expect(callFault(errorOf(name, 'tokens: 9, window: 5'), named).isWell, name).toBe(true);
    }
    for (const words of ['Unable to find a compatible GPU', 'Cannot find function', 'Cannot find global function']) {
      expect(loadFault(new Error(wordsWith(words)), named).code, words).toBe('bad-request');
    }
    expect(source).toMatch(/requested max\w+ ` \+\s*`exceeds limit/);
    expect(loadFault(new FaultError({ code: 'internal', message: 'Own.', retryable: false }), named).message).toBe(
      'Own.',
    );
  });

  it('writes the empty think tags that Podium removes', () => {
    const [, written = ''] = /emptyThinkingBlockStr = ("[^"]*")/.exec(source) ?? [];
    const thought: unknown = JSON.parse(written);
    expect(createPrefixRemover(true)(`${String(thought)}Answer`)).toBe('Answer');
  });

  it('requests the GPU with the method that Podium observes', () => {
    expect(source).toContain('.requestDevice(');
  });
});
