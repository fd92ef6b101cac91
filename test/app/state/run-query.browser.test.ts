import { beforeEach, expect, test } from 'vitest';
import { RunQueryState } from '../../../src/app/state/run-query.svelte';
import { eventually } from '../../fixtures/eventually.ts';
import { inEffects } from '../in-effects.svelte';

beforeEach(() => {
  location.hash = '#/runs?q=dates&by=meaning&similarity=0.8..';
});

test('a search for other words removes the similarity limits and still searches by meaning', async () => {
  const { value: query, dispose } = inEffects(null, () => new RunQueryState('/runs'));
  await eventually(() => expect(query.filter.similarity.least).toBe(0.8));
  query.typed = 'times';
  query.search();
  expect(query.filter).toMatchObject({ words: 'times', byMeaning: true, similarity: { least: null, most: null } });
  await eventually(() => expect(location.hash).toBe('#/runs?q=times&by=meaning'));
  dispose();
});
