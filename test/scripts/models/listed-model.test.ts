/**
 * @file Checks the manifests and pins of prebuilt models against WebLLM's own list of models. A pin contains the digests that
 * Podium expects for a model's files and compiled library.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { describe, expect, it } from 'vitest';
import { differencesOf, draftManifest, pinProblems, updatedManifest } from '../../../scripts/models/listed-model';
import type { ModelManifest, ModelPin } from '../../../src/core/contract';
import { manifestSchema } from '../../../src/core/contract/model/manifest-schema';
import { modelPinSchema } from '../../../src/core/contract/model/model-pin-schema';
import { builtInManifests, DEFAULT_MODEL } from '../../../src/platform/engine/manifests';
import { libraryOnGitHub } from '../../../src/platform/engine/webllm/record';

const list = prebuiltAppConfig.model_list;
const manifests = builtInManifests();
const pinFolder = new URL('../../../models/pins/', import.meta.url);

function storedPins(): ReadonlyMap<string, ModelPin> {
  const files = existsSync(pinFolder) ? readdirSync(pinFolder) : [];
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, pinFolder), 'utf8'));
  return new Map(files.map((file) => [file.replace(/\.json$/, ''), modelPinSchema.parse(read(file))]));
}

function defaultModel(): ModelManifest {
  const found = manifests.find(({ id }) => id === DEFAULT_MODEL);
  if (!found) throw new Error('The default model has no manifest.');
  return found;
}

describe('the manifests of prebuilt models', () => {
  it('agree with the model list of the installed WebLLM version', () => {
    expect(manifests.filter(({ source }) => source.kind === 'prebuilt').length).toBeGreaterThan(15);
    expect(manifests.flatMap((manifest) => differencesOf(manifest, list))).toEqual([]);
    for (const { id, source } of manifests) if (source.kind === 'prebuilt') expect(id).toBe(`webllm:${source.id}`);
  });

  it('are reported if WebLLM lists different values, and an update copies WebLLM’s values', () => {
    const { source } = defaultModel();
    const changed = list.map((record) =>
      source.kind === 'prebuilt' && record.model_id === source.id
        ? { ...record, vram_required_MB: 5000.5, overrides: { context_window_size: 8192 } }
        : record,
    );
    expect(differencesOf(defaultModel(), changed)).toEqual([
      'Qwen2.5-7B-Instruct-q4f16_1-MLC: memory is 5106670000, and WebLLM lists 5000500000.',
      'Qwen2.5-7B-Instruct-q4f16_1-MLC: context is 4096, and WebLLM lists 8192.',
    ]);
    const updated = updatedManifest(defaultModel(), changed);
    expect(updated).toEqual({ ...defaultModel(), memory: 5_000_500_000, context: 8192 });
    expect(Object.keys(updated)).toEqual(Object.keys(defaultModel()));
  });

  it('are reported if the list no longer contains their model, and an update leaves them unchanged', () => {
    expect(differencesOf(defaultModel(), [])).toEqual(['WebLLM doesn’t list Qwen2.5-7B-Instruct-q4f16_1-MLC.']);
    expect(updatedManifest(defaultModel(), [])).toEqual(defaultModel());
  });
});

describe('a draft of a manifest', () => {
  it('is valid, agrees with WebLLM’s list, and names the variant that needs no 16-bit shaders', () => {
    const draft = draftManifest('Qwen3-8B-q4f16_1-MLC', list);
    if (!draft) throw new Error('The model is not listed.');
    expect(manifestSchema.parse(draft)).toEqual(draft);
    expect(differencesOf(draft, list)).toEqual([]);
    expect(draft).toMatchObject({ label: 'Qwen3 8B q4f16_1', withoutHalf: 'webllm:Qwen3-8B-q4f32_1-MLC' });
    expect(draftManifest('Qwen3-8B-q4f32_1-MLC', list)).not.toHaveProperty('withoutHalf');
    expect(draftManifest('no-such-model', list)).toBeNull();
  });
});

describe('the pins of prebuilt models', () => {
  it('name the compiled libraries that the installed WebLLM version lists', () => {
    expect(pinProblems(storedPins(), list)).toEqual([]);
  });

  it('can name a commit for each library, because WebLLM lists only libraries on GitHub', () => {
    expect(list.filter(({ model_lib }) => libraryOnGitHub(model_lib) === null)).toEqual([]);
  });

  it('are reported if WebLLM lists another library for the model, or does not list the model', () => {
    const library = {
      url: 'https://libraries.test/old.wasm',
      revision: '0'.repeat(40),
      bytes: 1,
      sha256: '0'.repeat(64),
    };
    const pin: ModelPin = { revision: '0'.repeat(40), files: {}, library };
    const problems = pinProblems(new Map(['Qwen3-8B-q4f16_1-MLC', 'no-such-model'].map((id) => [id, pin])), list);
    expect(problems).toEqual([
      expect.stringMatching(/^The pin of Qwen3-8B-q4f16_1-MLC is for the library https:\/\/libraries\.test\/old\.wasm/),
      'WebLLM doesn’t list no-such-model, which has a pin.',
    ]);
  });
});
