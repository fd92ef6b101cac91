import { describe, expect, it } from 'vitest';
import { libraryProblem, readMetadata, weightsProblem } from '../../../../src/platform/engine/webllm/library';
import type { Tensor } from '../../../../src/platform/engine/webllm/model-files';
import {
  MODEL_FUNCTIONS,
  RUNTIME_EXPORTS,
  RUNTIME_FUNCTIONS,
} from '../../../../src/platform/engine/webllm/runtime-needs';
import { mlcLibrary, type LibraryParts } from '../../../fixtures/mlc-library';

const EMBEDDING: Tensor = { name: 'model.embed.q_weight', shape: [1000, 12], dtype: 'uint32' };
const SCALE: Tensor = { name: 'model.embed.q_scale', shape: [1000, 3], dtype: 'float16' };
const metadata = {
  model_type: 'qwen2',
  kv_state_kind: 'kv_cache',
  // Braces and quotation marks inside texts don't end the JSON.
  note: 'a "brace" } and a \\ backslash',
  params: [
    { ...EMBEDDING, shape: ['vocab_size', 12], preprocs: [] },
    { ...SCALE, preprocs: [] },
  ],
  memory_usage: { prefill: 1 },
};
const NAMES: readonly string[] = [...RUNTIME_FUNCTIONS, ...MODEL_FUNCTIONS];

/** Reads a library as the check before a download does. */
async function problemOf(parts: LibraryParts): Promise<string | null> {
  const bytes = new Uint8Array(mlcLibrary(parts));
  return libraryProblem(await WebAssembly.compile(bytes), bytes);
}

const without = (names: readonly string[], gone: string) => names.filter((name) => name !== gone);

describe('the library of a model', () => {
  it('can be started if it has all functions that WebLLM calls', async () => {
    expect(await problemOf({ strings: [...NAMES, JSON.stringify(metadata)] })).toBeNull();
  });

  it('can’t be started without a function that WebLLM calls, as in an older library', async () => {
    expect(await problemOf({ exports: [] })).toMatch(/has no TVMFFIAnyViewToOwnedAny, .* and 11 more/);
    expect(await problemOf({ exports: without(RUNTIME_EXPORTS, 'TVMFFIFunctionCall') })).toBe(
      'The library has no TVMFFIFunctionCall.',
    );
    const described = JSON.stringify(metadata);
    for (const name of ['vm.builtin.tensor_cache.get', 'argsort_probs']) {
      const strings = [...without(NAMES, name), described];
      expect(await problemOf({ strings })).toBe(`The library has no ${name}.`);
    }
  });

  it('may name the functions of the model itself', async () => {
    const strings = [...RUNTIME_FUNCTIONS, JSON.stringify({ ...metadata, artifact: {} })];
    expect(await problemOf({ strings })).toBeNull();
  });

  it('is not judged by its strings if it has no readable description', async () => {
    expect(await problemOf({ strings: ['{"params": [1, 2]}', '"params": [ {{{{'] })).toBeNull();
  });

  it('describes its parameters, wherever the description is', () => {
    const text = JSON.stringify(metadata, null, 2);
    const found = (strings: readonly string[]) => readMetadata(new Uint8Array(mlcLibrary({ strings })));
    expect(found(['fn main() { "params" : [', text, 'after { it'])).toMatchObject({ params: metadata.params });
    expect(found([`{ shader } ${text} }`])).toMatchObject({ params: metadata.params });
    expect(found([text.slice(0, -1)])).toBeNull();
  });

  it('fits weights with all its parameters, even if the weights have more', () => {
    expect(weightsProblem(metadata, [SCALE, { ...SCALE, name: 'lm_head' }, EMBEDDING])).toBeNull();
  });

  it.each<[string, readonly Tensor[], RegExp]>([
    ['lack a tensor', [EMBEDDING], /have no model\.embed\.q_scale\.$/],
    [
      'have another width',
      [EMBEDDING, { ...SCALE, shape: [1000, 4] }],
      /q_scale is 1000 × 4 float16 .* needs 1000 × 3 float16/,
    ],
    ['have another number of dimensions', [{ ...EMBEDDING, shape: [1000] }, SCALE], /q_weight is 1000 uint32/],
    [
      'have another quantization',
      [EMBEDDING, { ...SCALE, dtype: 'float32' }],
      /1000 × 3 float32 .* needs 1000 × 3 float16/,
    ],
  ])('does not fit weights that %s', (_, tensors, difference) => {
    expect(weightsProblem(metadata, tensors)).toMatch(difference);
  });
});
