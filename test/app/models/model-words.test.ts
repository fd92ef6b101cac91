import { describe, expect, it, test } from 'vitest';
import {
  freePlanSentence,
  gpuName,
  modelFacts,
  partDone,
  phaseSentence,
  sentenceModelSize,
  sourceWords,
  timeLeft,
} from '../../../src/app/models/model-words';
import type { GpuProbe, LoadProgress } from '../../../src/core/contract';
import { manifest } from '../../platform/engine/scripted-loader';

const gpu: GpuProbe = {
  vendor: '',
  architecture: '',
  description: '',
  software: false,
  half: true,
  maxBuffer: 1e9,
  maxStorageBinding: 1e9,
  maxWorkgroupStorage: 2 ** 15,
  maxStorageBuffers: 10,
};
const progress: LoadProgress = { phase: 'fetching', loaded: 1e9, total: 4e9, speed: 5e7, cached: false };

test.each([
  [{ description: 'Apple M2 Pro', vendor: 'apple' }, 'Apple M2 Pro'],
  [{ vendor: 'nvidia', architecture: 'ada' }, 'Nvidia ada'],
  [{ vendor: 'intel' }, 'Intel'],
  [{}, 'A GPU'],
  [{ software: true, description: 'SwiftShader' }, 'A GPU emulated on the CPU'],
])('a GPU with %o is called %s', (more, name) => expect(gpuName({ ...gpu, ...more })).toBe(name));

describe('a download', () => {
  it('shows the progress and the time left if both are known', () => {
    expect(partDone(progress)).toBe(0.25);
    expect(timeLeft(progress)).toBe('1 min 00 s');
    expect(partDone({ ...progress, loaded: 5e9 })).toBe(1);
  });

  it.each([{ total: null }, { loaded: null }, { total: 0, speed: 0 }])(
    'shows neither progress nor time left for %o',
    (unknown) => {
      expect(partDone({ ...progress, ...unknown })).toBeNull();
      expect(timeLeft({ ...progress, ...unknown })).toBeNull();
    },
  );

  it('mentions that it can be resumed, unless all files are already downloaded', () => {
    expect(phaseSentence(progress)).toContain('resume where they stopped');
    expect(phaseSentence({ ...progress, loaded: 0, cached: true })).toContain('resume where they stopped');
    expect(phaseSentence({ ...progress, loaded: 4e9, cached: true })).toBe('Reading downloaded files.');
  });
});

test.each([
  [
    { kind: 'mlc', weights: 'https://a.example/w', library: 'https://a.example/l', revision: 'v1' },
    'https://a.example/w and revision v1',
  ],
  [{ kind: 'hub', id: 'me/mine', revision: null }, 'me/mine'],
  [{ kind: 'hub', id: 'me/mine', revision: null, host: 'http://localhost:9/' }, 'http://localhost:9/me/mine'],
  [{ kind: 'folder', name: 'weights' }, 'folder weights'],
] as const)('a model with the source %o comes from %s', (source, words) =>
  expect(sourceWords(manifest('x', { source }))).toBe(words),
);

test('shows the number and the share of plans that were valid without a grammar', () => {
  expect(freePlanSentence({ parsed: 0, all: 0 })).toContain('No saved run');
  expect(freePlanSentence({ parsed: 12, all: 15 })).toContain(
    '12 of 15 plans in saved runs were valid on the first try (80 %).',
  );
});

test('shows how many bytes of a sentence model are left to download', () => {
  const model = { download: 24e6 };
  const cached = (bytes: number) => ({ bytes, total: 25e6, complete: bytes === 25e6 });
  expect(sentenceModelSize(model, null, 27e6)).toBe('about 51.0 MB to download');
  expect(sentenceModelSize(model, cached(15e6), 0)).toBe('about 10.0 MB left to download');
  expect(sentenceModelSize(model, cached(15e6), 27e6)).toBe('about 37.0 MB left to download');
  expect(sentenceModelSize(model, cached(25e6), 27e6)).toBe('about 27.0 MB left to download');
  expect(sentenceModelSize(model, cached(25e6), 0)).toBe('25.0 MB on this machine');
});

test('mentions no download for a model in a local folder', () => {
  const inFolder = manifest('Mine', { source: { kind: 'folder', name: 'my-weights' }, download: null, memory: null });
  expect(modelFacts(inFolder)).toEqual(['in the folder “my-weights”', '4,096 tokens of context']);
});
