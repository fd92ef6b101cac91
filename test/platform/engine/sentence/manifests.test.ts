import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInManifests } from '../../../../src/platform/engine/manifests';
import { builtInSentenceModels, sentenceModelSchema } from '../../../../src/platform/engine/sentence/manifests';

const folder = new URL('../../../../models/sentence/', import.meta.url);
const files = readdirSync(folder);
const all = builtInSentenceModels();

describe('the manifests of sentence models', () => {
  it.each(files)('%s matches the schema', (file) => {
    const content: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    expect(sentenceModelSchema.parse(content)).toEqual(content);
  });

  it('are listed by download size, with ids that contain their hub ids', () => {
    expect(all).toHaveLength(files.length);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ hub }) => `sentence:${hub.id}`));
    const sizes = all.map(({ download }) => download);
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  });

  it('pin a commit of their weights, so that stored embeddings stay valid', () => {
    for (const { hub } of all) expect(hub.revision).toMatch(/^[\da-f]{40}$/);
  });

  it('name the Apache 2.0 license', () => {
    for (const { licence } of all) expect(licence?.name).toBe('Apache 2.0');
  });

  it('are not listed as Conductors', () => {
    expect(builtInManifests().filter(({ id }) => id.startsWith('sentence:'))).toEqual([]);
  });

  it('are rejected if they have an unknown field or an invalid hub id', () => {
    expect(sentenceModelSchema.safeParse({ ...all[0], licens: null }).success).toBe(false);
    expect(sentenceModelSchema.safeParse({ ...all[0], hub: { id: 'no-owner', revision: null } }).success).toBe(false);
  });
});
