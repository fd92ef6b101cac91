import { describe, expect, it } from 'vitest';
import { QuestionVectors } from '../../../../src/core/analysis/run-index/question-vectors';
import { questionHashOf } from '../../../../src/core/contract';
import { MemoryVectors } from '../../../fixtures/memory-vectors';

/** The similarity of stored questions to the vector [1, 0]. `null` for questions without a vector. */
async function similaritiesOf(vectors: QuestionVectors, questions: readonly string[], model = 'a') {
  await vectors.sync(model, 2);
  const found = vectors.similarities([1, 0]);
  return questions.map((question) => {
    const slot = vectors.slotOf(questionHashOf(question));
    return slot === -1 ? null : Number(found[slot]?.toFixed(2));
  });
}

describe('the vectors of questions', () => {
  it('are compared only by their direction', async () => {
    const records = new MemoryVectors();
    records.add('a', 'same', [127, 0]);
    records.add('a', 'shorter', [3, 4]);
    records.add('a', 'opposite', [-9, 0]);
    const vectors = new QuestionVectors(records);
    expect(await similaritiesOf(vectors, ['same', 'shorter', 'opposite', 'none'])).toEqual([1, 0.6, -1, null]);
  });

  it('are all read by the first sync, and later syncs read only added and changed vectors', async () => {
    const records = new MemoryVectors();
    records.add('a', 'one', [1, 0]);
    const vectors = new QuestionVectors(records);
    await vectors.sync('a', 2);
    const { version } = vectors;
    await vectors.sync('a', 2);
    expect(vectors.version).toBe(version);
    records.add('a', 'two', [0, 1]);
    records.add('a', 'one', [0, 1]);
    expect(await similaritiesOf(vectors, ['one', 'two'])).toEqual([0, 0]);
    expect(records.asked).toEqual(['page', 'since']);
    expect(vectors.version).toBeGreaterThan(version);
  });

  it('include no deleted vector after a sync, even if as many vectors were added as deleted', async () => {
    const records = new MemoryVectors();
    for (const question of ['one', 'two', 'three']) records.add('a', question, [1, 0]);
    const vectors = new QuestionVectors(records);
    await vectors.sync('a', 2);
    records.delete('a', 'two');
    expect(await similaritiesOf(vectors, ['one', 'two', 'three'])).toEqual([1, null, 1]);
    records.delete('a', 'one');
    records.add('a', 'four', [0, 1]);
    expect(await similaritiesOf(vectors, ['one', 'two', 'three', 'four'])).toEqual([null, null, 1, 0]);
    expect(records.asked.filter((what) => what === 'page').length).toBe(3);
  });

  it('are up to date after a sync when more than 4,000 were replaced', async () => {
    const records = new MemoryVectors();
    for (let place = 0; place <= 4000; place++) records.add('a', `old ${place}`, [1, 0]);
    const vectors = new QuestionVectors(records);
    await vectors.sync('a', 2);
    for (let place = 0; place <= 4000; place++) {
      records.delete('a', `old ${place}`);
      records.add('a', `new ${place}`, [0, 1]);
    }
    expect(await similaritiesOf(vectors, ['old 7', 'new 7'])).toEqual([null, 0]);
  });

  it('are those of the model that was synced last', async () => {
    const records = new MemoryVectors();
    records.add('a', 'one', [1, 0]);
    records.add('b', 'one', [0, 1]);
    records.add('b', 'two', [1, 0]);
    const vectors = new QuestionVectors(records);
    expect(await similaritiesOf(vectors, ['one', 'two'], 'a')).toEqual([1, null]);
    expect(await similaritiesOf(vectors, ['one', 'two'], 'b')).toEqual([0, 1]);
  });

  it('count as missing if they are damaged or have another dimension, and are not read again', async () => {
    const records = new MemoryVectors();
    records.add('a', 'damaged', null);
    records.add('a', 'longer', [1, 0, 0]);
    records.add('a', 'whole', [1, 0]);
    const vectors = new QuestionVectors(records);
    expect(await similaritiesOf(vectors, ['damaged', 'longer', 'whole'])).toEqual([null, null, 1]);
    await vectors.sync('a', 2);
    expect(records.asked).toEqual(['page']);
  });

  it('are read page by page if there are many', async () => {
    const records = new MemoryVectors();
    const questions = Array.from({ length: 4500 }, (_, index) => `question ${index}`);
    for (const question of questions) records.add('a', question, [1, 0]);
    const vectors = new QuestionVectors(records);
    expect((await similaritiesOf(vectors, questions)).every((similarity) => similarity === 1)).toBe(true);
    expect(records.asked).toEqual(['page', 'page', 'page']);
  });
});
