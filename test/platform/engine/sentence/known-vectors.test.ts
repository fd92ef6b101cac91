import { expect, test } from 'vitest';
import { KnownVectors, vectorsNameOf } from '../../../../src/platform/engine/sentence/known-vectors';
import { sentenceModel, vectorOf } from './scripted-loader';

const nothingKept = {
  read: () => Promise.resolve(new Map()),
  add: () => Promise.resolve(),
  deleteOf: () => Promise.resolve(),
};

test('evicts the least recently used embeddings', async () => {
  const known = new KnownVectors('a', nothingKept);
  known.add(new Map([['used', vectorOf('used')]]));
  known.add(new Map([['unused', vectorOf('unused')]]));
  expect(await known.of(['used'])).toEqual(new Map([['used', vectorOf('used')]]));
  known.add(new Map(Array.from({ length: 1999 }, (_, index) => [`question ${index}`, vectorOf('x')])));
  expect([...(await known.of(['used', 'unused'])).keys()]).toEqual(['used']);
});

test('stores embeddings under a name that includes the model’s pinned revision', () => {
  const model = sentenceModel('Small');
  expect(vectorsNameOf(model)).toBe(model.id);
  expect(vectorsNameOf({ ...model, hub: { ...model.hub, revision: 'abc' } })).toBe(`${model.id}@abc`);
});
