import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manifestSchema } from '../../../src/core/contract/model/manifest-schema';
import { builtInManifests, DEFAULT_MODEL } from '../../../src/platform/engine/manifests';

const folder = new URL('../../../models/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const all = builtInManifests();
const webllm = all.flatMap((manifest) =>
  manifest.source.kind === 'prebuilt' ? [{ manifest, id: manifest.source.id }] : [],
);

/**
 * Weights in billions, as published by the models' authors. The published numbers for Qwen3.5 include vision weights, so its
 * numbers here are calculated from the published shape of the language model alone.
 */
const BILLIONS = new Map([
  ['Qwen3.5-9B', 8.95],
  ['Qwen3.5-4B', 4.21],
  ['Qwen3.5-2B', 1.88],
  ['Qwen2.5-7B', 7.62],
  ['Qwen3-8B', 8.19],
  ['Qwen3-4B', 4.02],
  ['Qwen2.5-3B', 3.09],
  ['Qwen2.5-1.5B', 1.54],
  ['Llama-3.2-3B', 3.21],
  ['Llama-3.1-8B', 8.03],
]);

describe('the manifests', () => {
  it.each(files)('%s matches the schema', (file) => {
    const content: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    expect(manifestSchema.parse(content)).toEqual(content);
  });

  it('are all listed with unique ids, sorted by the memory that the model needs', () => {
    expect(all).toHaveLength(files.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const memory = all.map((manifest) => manifest.memory ?? 0);
    expect(memory).toEqual([...memory].sort((one, other) => one - other));
  });

  it('include the default model, and for each model with 16-bit shaders a variant without them', () => {
    expect(all.map(({ id }) => id)).toContain(DEFAULT_MODEL);
    for (const { needs, withoutHalf } of all) {
      if (!needs.includes('shader-f16')) continue;
      const other = all.find(({ id }) => id === withoutHalf);
      expect(other?.needs).toEqual([]);
    }
  });

  it.each(webllm)('$id states a download of about 4.5 bits per weight', ({ manifest, id }) => {
    const [, billions = 0] = [...BILLIONS].find(([name]) => id.startsWith(name)) ?? [];
    const derived = (billions * 1e9 * 4.5) / 8;
    expect(Math.abs((manifest.download ?? 0) - derived) / derived).toBeLessThan(0.05);
  });

  it('are rejected if they are invalid', () => {
    const good: unknown = JSON.parse(readFileSync(new URL(files[0] ?? '', folder), 'utf8'));
    const bad = [
      {},
      { ...Object(good), engine: 'other' },
      { ...Object(good), download: -1 },
      { ...Object(good), sise: 1 },
    ];
    for (const each of bad) expect(manifestSchema.safeParse(each).success).toBe(false);
  });
});
