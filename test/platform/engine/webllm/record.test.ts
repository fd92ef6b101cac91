import { describe, expect, it } from 'vitest';
import type { ModelManifest } from '../../../../src/core/contract';
import {
  cacheBase,
  folderBase,
  libraryAt,
  libraryOnGitHub,
  modelRecord,
  weightsBase,
} from '../../../../src/platform/engine/webllm/record';

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
  ])('of the model at %s with the revision %s is %s', (address, revision, base) => {
    expect(weightsBase(address, revision)).toBe(base);
  });

  it('names the branch `main` if WebLLM caches weights without a revision', () => {
    expect(cacheBase('http://localhost:8000/model')).toBe('http://localhost:8000/model/resolve/main/');
    expect(cacheBase(`${hub}/resolve/abc123/`)).toBe(`${hub}/resolve/abc123/`);
  });
});

describe('the address of a pinned library', () => {
  const commit = 'c'.repeat(40);

  it('has the commit in place of the branch', () => {
    const newest = 'https://raw.githubusercontent.com/mlc-ai/libraries/main/v1/base/main.wasm';
    expect(libraryAt(newest, commit)).toBe(
      `https://raw.githubusercontent.com/mlc-ai/libraries/${commit}/v1/base/main.wasm`,
    );
    expect(libraryOnGitHub(newest)).toEqual({
      repository: 'mlc-ai/libraries',
      branch: 'main',
      path: 'v1/base/main.wasm',
    });
  });

  it('is unchanged if the library is not on GitHub', () => {
    expect(libraryAt('https://example.org/main/library.wasm', commit)).toBe('https://example.org/main/library.wasm');
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

  it('contains the pinned revision in the address of the weights', () => {
    expect(modelRecord(manifest, [])).toEqual({
      model_id: 'own:1',
      model: `${hub}/resolve/abc123/`,
      model_lib: 'https://example.org/library.wasm',
      overrides: { context_window_size: 2048 },
    });
  });

  it('contains the listed address of a prebuilt model, at the pinned revision or else at `main`', () => {
    const prebuilt: ModelManifest = { ...manifest, source: { kind: 'prebuilt', id: 'listed' } };
    const list = [{ model_id: 'listed', model: hub, model_lib: 'https://example.org/listed.wasm' }];
    expect(modelRecord(prebuilt, list).model).toBe(`${hub}/resolve/main/`);
    expect(modelRecord(prebuilt, list, { revision: 'abc123' }).model).toBe(`${hub}/resolve/abc123/`);
  });

  it('contains no localhost address of a library, because WebLLM doesn’t cache such addresses', () => {
    const libraryAt = (library: string) =>
      modelRecord({ ...manifest, source: { kind: 'mlc', weights: hub, library, revision: null } }, []).model_lib;
    const [one, other] = [libraryAt('http://localhost:1/a.wasm'), libraryAt('http://localhost:2/a.wasm')];
    for (const address of [one, other]) {
      expect(new URL(address).hostname).toMatch(/\.invalid$/);
      expect(address).not.toContain('localhost');
    }
    expect(one).not.toBe(other);
  });

  it('contains `.invalid` addresses for a local folder, except for a library with a given address', () => {
    const folder: ModelManifest = { ...manifest, source: { kind: 'folder', name: 'weights' } };
    const base = folderBase('own:1');
    expect(new URL(base).hostname).toMatch(/\.invalid$/);
    expect(modelRecord(folder, [])).toMatchObject({ model: base, model_lib: `${base}library.wasm` });
    expect(modelRecord(folder, [], { library: 'https://example.org/other.wasm' }).model_lib).toBe(
      'https://example.org/other.wasm',
    );
  });

  it('can’t be created for a model that is missing from WebLLM’s list or needs another engine', () => {
    const prebuilt: ModelManifest = { ...manifest, source: { kind: 'prebuilt', id: 'gone' } };
    expect(() => modelRecord(prebuilt, [])).toThrow(/doesn’t support/);
    const other: ModelManifest = { ...manifest, source: { kind: 'hub', id: 'a/b', revision: null } };
    expect(() => modelRecord(other, [])).toThrow(/transformers\.js/);
  });
});
