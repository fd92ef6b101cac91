import { describe, expect, it } from 'vitest';
import { createIndexDesk } from '../../../src/composition/run-index/index-desk';
import { ALL_RUNS, NEAREST_FIRST, NEWEST_FIRST, type QuestionEmbedder } from '../../../src/core/contract';
import { createBroadcastNotices } from '../../../src/platform/store/notices';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSentenceVectors } from '../../../src/platform/store/sentence-vectors';
import { workerOf } from '../../fixtures/scripted-worker';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { testDatabase } from '../../platform/store/harness';

const { signal } = new AbortController();
const runOf = (runId: string) => stampEvents(finishedRunBodies(), { runId });
const NO_MODEL = { embed: () => Promise.resolve(null) };

const BY_MEANING = { ...ALL_RUNS, words: 'about trains', byMeaning: true };

/**
 * Indexes one run for each of these questions. All texts about trains share one vector, and all other texts share another.
 * @param isStored whether the database accepts the vector of a question. `false` simulates a failed write
 */
async function meaningStage(questions: readonly string[], isStored: (question: string) => boolean = () => true) {
  const database = testDatabase();
  const vectors = createSentenceVectors(database, Date);
  const vectorOf = (text: string) => (text.includes('train') ? Float32Array.of(0.8, 0.6) : Float32Array.of(-0.6, 0.8));
  const embedder: Pick<QuestionEmbedder, 'embed'> = {
    async embed(texts) {
      const placed = new Map(texts.map((text) => [text, vectorOf(text)]));
      await vectors.add('model', new Map([...placed].slice(1).filter(([text]) => isStored(text))));
      return { by: 'A model', storedAs: 'model', vectors: placed };
    },
  };
  const runs = questions.map((question, place) => {
    const bodies = finishedRunBodies().map((body) =>
      body.type === 'run-started' ? { ...body, question: { text: question } } : body,
    );
    return stampEvents(bodies, { runId: `run-${place}`, at: 1_760_000_000_000 + place });
  });
  await createRunStore(database).addRuns(runs);
  const index = createIndexDesk({ database: database.name, embedder });
  await expect.poll(() => index.state().indexed).toBe(questions.length);
  return index;
}

describe('a search by meaning', () => {
  it('computes missing vectors on request, reports the progress, and then finds runs by their vectors', async () => {
    const questions = Array.from(
      { length: 40 },
      (_, place) => `Question ${place} about ${place % 4 ? 'tea' : 'trains'}`,
    );
    const index = await meaningStage([...questions, 'Question 0 about trains', 'A train. '.repeat(1000)]);
    expect(await index.nearness(BY_MEANING, signal)).toEqual({
      by: 'A model',
      similarities: {},
      beyond: 0,
      missing: 42,
    });
    const steps: string[] = [];
    await index.embedMissing(BY_MEANING, (done, of) => steps.push(`${done} of ${of}`), signal);
    expect(steps).toEqual(['0 of 42', '32 of 42', '41 of 42', '42 of 42']);
    const found = await index.ids({ filter: BY_MEANING, sort: NEAREST_FIRST }, signal);
    expect(found).toHaveLength(12);
    expect(found).toContain('run-41');
    expect((await index.totals({ ...BY_MEANING, words: 'tea' }, signal)).runs).toBe(30);
    const nearness = await index.nearness(BY_MEANING, signal);
    expect(nearness).toMatchObject({ missing: 0, similarities: { 'run-0': expect.closeTo(1, 2) } });
  });

  it('stores the remaining vectors if some cannot be stored, and reports how many failed', async () => {
    const questions = Array.from({ length: 40 }, (_, place) => `Question ${place} about trains`);
    const index = await meaningStage(questions, (question) => !/ 3\d /.test(question));
    await expect(index.embedMissing(BY_MEANING, () => undefined, signal)).rejects.toMatchObject({
      fault: { code: 'storage-failed', message: expect.stringContaining('the vectors of 10 questions') },
    });
    expect(await index.nearness(BY_MEANING, signal)).toMatchObject({ missing: 10 });
    expect(await index.ids({ filter: BY_MEANING, sort: NEAREST_FIRST }, signal)).toHaveLength(30);
  });

  it('rejects the computation of vectors if no vector can be stored, or if there is no sentence model', async () => {
    const index = await meaningStage(['About trains'], () => false);
    const compute = () => index.embedMissing(BY_MEANING, () => undefined, signal);
    await expect(compute()).rejects.toMatchObject({ fault: { code: 'storage-failed' } });
    const without = createIndexDesk({ database: testDatabase().name, embedder: NO_MODEL });
    expect(await without.nearness(BY_MEANING, signal)).toBeNull();
    expect((await without.totals(BY_MEANING, signal)).runs).toBe(0);
    await expect(without.embedMissing(BY_MEANING, () => undefined, signal)).rejects.toMatchObject({
      fault: { message: expect.stringContaining('sentence model is not available') },
    });
  });
});

describe('the index in its Web Worker', () => {
  it('finds stored runs, and is updated when runs are written or deleted later', async () => {
    const database = testDatabase();
    const store = createRunStore(database);
    await store.addRuns([runOf('run-1'), runOf('run-2')]);
    const index = createIndexDesk({ database: database.name, embedder: NO_MODEL });
    const totals = async (words: string) => (await index.totals({ ...ALL_RUNS, words }, signal)).runs;
    await expect.poll(() => totals('537')).toBe(2);
    await expect.poll(() => index.state()).toEqual({ indexed: 2, of: 2 });
    const rows = await index.rows({ filter: ALL_RUNS, sort: NEWEST_FIRST }, 0, 1, signal);
    expect(rows).toEqual([await store.summary('run-1')]);
    expect(await index.ids({ filter: ALL_RUNS, sort: NEWEST_FIRST }, signal)).toEqual(['run-1', 'run-2']);
    expect(await index.sameQuestion('run-1', 5, signal)).toMatchObject([{ id: 'run-2' }]);
    expect((await index.facets(signal)).providers).toEqual([{ value: 'simulated', runs: 2 }]);

    const notices = createBroadcastNotices();
    let changes = 0;
    const stop = index.listen(() => (changes += 1));
    await store.delete('run-2');
    await store.addRuns([runOf('run-3')]);
    notices.notify('run-3');
    await expect.poll(() => index.ids({ filter: ALL_RUNS, sort: NEWEST_FIRST }, signal)).toEqual(['run-1', 'run-3']);
    expect(changes).toBeGreaterThan(0);
    stop();

    await store.deleteAll();
    notices.notifyAll();
    await expect.poll(() => totals('')).toBe(0);
    notices.close();
  });

  it('rejects cancelled requests and requests for an unknown plot', async () => {
    const index = createIndexDesk({ database: testDatabase().name, embedder: NO_MODEL });
    const controller = new AbortController();
    const cancelled = index.totals(ALL_RUNS, controller.signal);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    await expect(index.figures('none', ALL_RUNS, signal)).rejects.toMatchObject({ fault: { code: 'internal' } });
  });

  it('reports that the Web Worker crashed or could not load, and starts a new one at the next request', async () => {
    for (const [program, why] of [
      ['throw new Error("gone")', 'Couldn’t load the run search'],
      ["postMessage({type: 'ready'}); setTimeout(() => { throw new Error('broke') }, 50)", 'Web Worker crashed'],
    ] as const) {
      let started = 0;
      const createWorker = () =>
        workerOf(
          (started += 1) === 1
            ? program
            : "oncall = (call) => { if (call.order.question) { report(call, ['run-1']); ended(call); } }",
        )();
      const index = createIndexDesk({ database: 'none', embedder: NO_MODEL, createWorker });
      await expect(index.ids({ filter: ALL_RUNS, sort: NEWEST_FIRST }, signal)).rejects.toMatchObject({
        fault: { message: expect.stringContaining(why), retryable: true },
      });
      expect(await index.ids({ filter: ALL_RUNS, sort: NEWEST_FIRST }, signal)).toEqual(['run-1']);
    }
  });
});
