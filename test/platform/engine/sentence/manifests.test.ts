import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sentenceModelSchema } from '../../../../src/core/contract/model/sentence-model-schema';
import { builtInManifests } from '../../../../src/platform/engine/manifests';
import { builtInSentenceModels } from '../../../../src/platform/engine/sentence/manifests';

const folder = new URL('../../../../models/sentence/', import.meta.url);
const files = readdirSync(folder);
const all = builtInSentenceModels();

describe('the manifests of sentence models', () => {
  it.each(files)('%s matches the schema', (file) => {
    const content: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    expect(sentenceModelSchema.parse(content)).toEqual(content);
  });

  it('are all listed, the smallest model first, each with an id that contains its hub id', () => {
    expect(all).toHaveLength(files.length);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ hub }) => `sentence:${hub.id}`));
    const sizes = all.map(({ download }) => download);
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  });

  it('pin a commit of their weights, so that stored embeddings stay valid', () => {
    for (const { hub } of all) expect(hub.revision).toMatch(/^[\da-f]{40}$/);
  });

  it('name a licence', () => {
    for (const { licence } of all) expect(licence?.name).toBe('Apache 2.0');
  });

  it('are not listed as Conductors', () => {
    expect(builtInManifests().filter(({ id }) => id.startsWith('sentence:'))).toEqual([]);
  });

  it('are rejected if they are invalid', () => {
    expect(sentenceModelSchema.safeParse({ ...all[0], licens: null }).success).toBe(false);
    expect(sentenceModelSchema.safeParse({ ...all[0], hub: { id: 'no-owner', revision: null } }).success).toBe(false);
  });
});
