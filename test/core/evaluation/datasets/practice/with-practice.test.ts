import { describe, expect, it } from 'vitest';
import { withPractice } from '../../../../../src/core/evaluation/datasets/practice/with-practice';
import { evaluationTask, storedDataset } from '../../../../fixtures/evaluation/batches';
import { createMemoryDatasetStore } from '../../../../fixtures/evaluation/memory-stores';

async function store() {
  const stored = createMemoryDatasetStore();
  const tasks = (async function* () {
    yield evaluationTask('t0');
  })();
  await stored.add(tasks, () => storedDataset('mine', 1), new AbortController().signal);
  return withPractice(stored);
}

describe('a store with the practice set', () => {
  it('lists the practice set after the stored datasets', async () => {
    expect((await (await store()).list()).map(({ id }) => id)).toEqual(['mine', 'practice']);
  });

  it('returns stored and practice tasks by id in the requested order, without unknown ids', async () => {
    const datasets = await store();
    const outline = await datasets.outline('practice');
    expect(outline).toHaveLength((await datasets.get('practice'))?.tasks ?? 0);
    const [first, second] = outline.map(({ id }) => id);
    const found = await datasets.tasks('practice', [second ?? '', 'gone', first ?? '']);
    expect(found.map(({ id }) => id)).toEqual([second, first]);
    expect((await datasets.tasks('mine', ['t0'])).map(({ id }) => id)).toEqual(['t0']);
  });

  it('ignores a request to delete the practice set', async () => {
    const datasets = await store();
    await datasets.remove('practice');
    await datasets.remove('mine');
    expect((await datasets.list()).map(({ id }) => id)).toEqual(['practice']);
  });
});
