import { describe, expect, it } from 'vitest';
import type { ModelManifest } from '../../../../src/core/contract';
import { cacheBase, folderBase, modelRecord, weightsBase } from '../../../../src/platform/engine/webllm/record';

const hub = 'https://huggingface.co/me/conductor-MLC';

describe('the address of weights', () => {
  it.each([
    [hub, null, `${hub}/resolve/main/`],
    [`${hub}/`, null, `${hub}/resolve/main/`],
    [hub, 'abc123', `${hub}/resolve/abc123/`],
    [`${hub}/tree/dev`, null, `${hub}/resolve/dev/`],
    [`${hub}/resolve/dev/`, null, `${hub}/resolve/dev/`],
    [`${hub}/resolve/dev`, 'abc123', `${hub}/resolve/abc123/`],
    ['http://localhost:8000/model', null, 'http://localhost:8000/model/'],
    ['http://localhost:8000/model/', 'v2', 'http://localhost:8000/model/resolve/v2/'],
  ])('%s at %s is %s', (address, revision, base) => {
    expect(weightsBase(address, revision)).toBe(base);
  });

  it('ends in resolve/<revision>/, as WebLLM requires', () => {
    expect(cacheBase('http://localhost:8000/model')).toBe('http://localhost:8000/model/resolve/main/');
    expect(cacheBase(`${hub}/resolve/abc123/`)).toBe(`${hub}/resolve/abc123/`);
  });
});

describe('the record that WebLLM receives', () => {
  const manifest: ModelManifest = {
    id: 'own:1',
    label: 'My Conductor',
    engine: 'webllm',
    source: {
      kind: 'mlc',
      weights: hub,
      library: 'https://example.org/library.wasm',
      revision: 'abc123',
      integrity: { library: 'sha256-AAAA', tokenizer: { 'tokenizer.json': 'sha256-BBBB' } },
    },
    download: null,
    memory: null,
    context: 2048,
    licence: null,
    why: 'For tests.',
    needs: [],
    prompt: null,
    showWorkers: 'number',
  };

  it('pins the revision and passes the digests on', () => {
    expect(modelRecord(manifest, [])).toEqual({
      model_id: 'own:1',
      model: `${hub}/resolve/abc123/`,
      model_lib: 'https://example.org/library.wasm',
      overrides: { context_window_size: 2048 },
      integrity: { model_lib: 'sha256-AAAA', tokenizer: { 'tokenizer.json': 'sha256-BBBB' } },
    });
  });

  it('addresses a local folder by a reserved host, and accepts a library from elsewhere', () => {
    const folder: ModelManifest = { ...manifest, source: { kind: 'folder', name: 'weights' } };
    const base = folderBase('own:1');
    expect(new URL(base).hostname).toMatch(/\.invalid$/);
    expect(modelRecord(folder, [])).toMatchObject({ model: base, model_lib: `${base}library.wasm` });
    expect(modelRecord(folder, [], 'https://example.org/other.wasm').model_lib).toBe('https://example.org/other.wasm');
  });

  it('refuses a model that WebLLM cannot run', () => {
    const prebuilt: ModelManifest = { ...manifest, source: { kind: 'prebuilt', id: 'gone' } };
    expect(() => modelRecord(prebuilt, [])).toThrow(/doesn’t support/);
    const other: ModelManifest = { ...manifest, source: { kind: 'hub', id: 'a/b', revision: null } };
    expect(() => modelRecord(other, [])).toThrow(/transformers\.js/);
  });
});
