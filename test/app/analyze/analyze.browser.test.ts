import { expect, test } from 'vitest';
import { AnalyzeState } from '../../../src/app/analyze/analyze.svelte';
import { ALL_RUNS, type Nearness } from '../../../src/core/contract';
import { conductStage } from '../conduct/conduct-services';
import { MemoryIndex } from '../memory-index';

test('`isReading` is true during a new search by meaning, but not while the search is repeated', async () => {
  const { store, otherTab } = conductStage();
  const index = new MemoryIndex(store, otherTab);
  let finish: (nearness: Nearness) => void = () => undefined;
  index.nearness = () => new Promise((resolve) => (finish = resolve));
  const analyze = new AnalyzeState(index);
  expect(analyze.isReading).toBe(true);
  const filter = { ...ALL_RUNS, words: 'trains', byMeaning: true };
  const first = analyze.load(filter);
  expect(analyze.isReading).toBe(true);
  const nearness = { by: 'MiniLM', similarities: {}, beyond: 0, missing: 0 };
  finish(nearness);
  await first;
  expect(analyze.isReading).toBe(false);
  const again = analyze.load(filter);
  expect(analyze.isReading).toBe(false);
  finish(nearness);
  await again;
  void analyze.load({ ...filter, words: 'tea' });
  expect(analyze.isReading).toBe(true);
  analyze.close();
});
