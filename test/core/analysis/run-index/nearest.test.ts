import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../../src/core/analysis/run-index/entry';
import { MOST_NEAR } from '../../../../src/core/analysis/run-index/nearest';
import { QuestionVectors } from '../../../../src/core/analysis/run-index/question-vectors';
import { RunSearch } from '../../../../src/core/analysis/run-index/run-search';
import { ALL_RUNS, applyEvents, NEAREST_FIRST, NEWEST_FIRST, type RunFilter } from '../../../../src/core/contract';
import { MemoryVectors } from '../../../fixtures/memory-vectors';
import { finishedRunBodies, stampEvents } from '../../../fixtures/run-events';
import { filters, indexedFrom, indexedRuns, matches } from './indexed-runs';

const { signal } = new AbortController();
const WORDS: RunFilter = { ...ALL_RUNS, words: 'anything', byMeaning: true };
/** Selects questions whose vector has at least this similarity to the first axis. */
const near = (least: number) => ({ model: 'a', by: 'A model', vector: [1, 0], least });

function entryFor(id: string, question: string, at = 1) {
  const bodies = finishedRunBodies().map((body) =>
    body.type === 'run-started' ? { ...body, question: { text: question } } : body,
  );
  const run = applyEvents(null, stampEvents(bodies, { runId: id, at: 1_760_000_000_000 + at }));
  if (!run) throw new Error('A run begins with its start.');
  return entryOf(run);
}

/**
 * Builds an index whose questions have these vectors.
 * @param degrees angle between each question's vector and the first axis. `null`: no vector
 */
async function stage(degrees: Readonly<Record<string, number | null>>) {
  const records = new MemoryVectors();
  for (const [question, angle] of Object.entries(degrees)) {
    const turn = ((angle ?? 0) * Math.PI) / 180;
    if (angle !== null) records.add('a', question, [Math.cos(turn) * 127, Math.sin(turn) * 127].map(Math.round));
  }
  const vectors = new QuestionVectors(records);
  await vectors.sync('a', 2);
  return { records, vectors, search: new RunSearch(vectors) };
}

async function idsOf(search: RunSearch, filter: Parameters<RunSearch['totals']>[0], sort = NEAREST_FIRST) {
  return (await search.places({ filter, sort }, signal)).map(({ id }) => id);
}

describe('a search by meaning', () => {
  it('finds the runs that are similar enough, the most similar first, and newest first among equals', async () => {
    const { search } = await stage({ same: 0, close: 30, apart: 80 });
    for (const [place, question] of ['apart', 'close', 'same', 'close', 'unknown'].entries()) {
      search.runs.put(entryFor(`${question}-${place}`, question, place));
    }
    const filter = { ...WORDS, near: near(0.5) };
    expect(await idsOf(search, filter)).toEqual(['same-2', 'close-3', 'close-1']);
    expect(await idsOf(search, filter, NEWEST_FIRST)).toEqual(['close-3', 'same-2', 'close-1']);
    expect((await search.totals(filter, signal)).runs).toBe(3);
    expect(await search.nearness(filter, signal)).toEqual({
      by: 'A model',
      similarities: { 'same-2': 1, 'close-3': expect.closeTo(0.866, 2), 'close-1': expect.closeTo(0.866, 2) },
      beyond: 0,
      missing: 1,
    });
  });

  it('returns the 200 nearest runs and all ties with the 200th, and counts the other similar runs', async () => {
    const { search } = await stage({ same: 0, close: 30, far: 50 });
    for (let place = 0; place < MOST_NEAR; place++) search.runs.put(entryFor(`close-${place}`, 'close', place));
    for (const id of ['one', 'two']) search.runs.put(entryFor(id, 'same'));
    for (const id of ['three', 'four', 'five']) search.runs.put(entryFor(id, 'far'));
    const filter = { ...WORDS, near: near(0.5) };
    const found = await idsOf(search, filter);
    expect(found).toHaveLength(MOST_NEAR + 2);
    expect(found.slice(0, 2).sort()).toEqual(['one', 'two']);
    expect(found).not.toContain('three');
    expect((await search.nearness(filter, signal))?.beyond).toBe(3);
  });

  it('finds only runs whose similarity is within the given limits', async () => {
    const { search } = await stage({ same: 0, close: 30, far: 50 });
    for (const question of ['same', 'close', 'far']) search.runs.put(entryFor(question, question));
    const filter = { ...WORDS, near: near(0.5) };
    expect(await idsOf(search, { ...filter, similarity: { least: 0.8, most: null } })).toEqual(['same', 'close']);
    expect(await idsOf(search, { ...filter, similarity: { least: null, most: 0.9 } })).toEqual(['close', 'far']);
    expect(await idsOf(search, { ...filter, similarity: { least: 0.1, most: null } })).toHaveLength(3);
  });

  it('finds nothing if the words of the search have no vector', async () => {
    const { search } = await stage({ same: 0 });
    search.runs.put(entryFor('run', 'same'));
    expect(await idsOf(search, WORDS)).toEqual([]);
    expect(await search.nearness(WORDS, signal)).toBeNull();
  });

  it('matches all runs if the search has no words', async () => {
    const { search } = await stage({ same: 0 });
    search.runs.put(entryFor('run', 'unknown'));
    expect(await idsOf(search, { ...WORDS, words: ' ' })).toEqual(['run']);
  });

  it('lists one run for each question without a vector, the newest questions first', async () => {
    const { search } = await stage({ same: 0 });
    for (const [place, question] of ['first', 'second', 'first', 'same', 'third'].entries()) {
      search.runs.put(entryFor(`${question}-${place}`, question, place));
    }
    const filter = { ...WORDS, near: near(0.5) };
    expect(await search.withoutVector(filter, 2, signal)).toEqual({ ids: ['third-4', 'first-2'], runs: 4 });
    expect((await search.withoutVector(filter, 9, signal)).ids).toHaveLength(3);
  });

  it('uses added vectors and drops deleted vectors after the next sync', async () => {
    const { search, records, vectors } = await stage({ same: 0 });
    search.runs.put(entryFor('old', 'same'));
    search.runs.put(entryFor('new', 'later'));
    const filter = { ...WORDS, near: near(0.5) };
    expect(await idsOf(search, filter)).toEqual(['old']);
    records.add('a', 'later', [127, 0]);
    records.delete('a', 'same');
    await vectors.sync('a', 2);
    expect(await idsOf(search, filter)).toEqual(['new']);
  });

  it('also applies all other conditions of the filter', async () => {
    await fc.assert(
      fc.asyncProperty(indexedRuns, filters, fc.nat(2), async (runs, conditions, chunks) => {
        const entries = runs.map(indexedFrom);
        const questions = [...new Set(entries.map(({ texts }) => texts.question))];
        const degrees = new Map(questions.map((question, place) => [question, place === 0 ? null : place * 25]));
        const { search } = await stage(Object.fromEntries(degrees));
        for (const [place, { entry }] of entries.entries()) {
          search.runs.put(entry);
          if (place % 4 !== chunks) continue;
          const sealed = await search.runs.chunkTail(() => Promise.resolve());
          search.runs.seal(place, sealed, (blocks) => Promise.resolve(blocks.map(() => [])));
        }
        const filter = { ...conditions, words: 'anything', byMeaning: true, near: near(Math.cos(1)) };
        const met = entries.filter((entry) => matches(entry, { ...filter, words: '' }));
        const isNear = (question: string) => (degrees.get(question) ?? 90) < 57;
        const expected = met.filter(({ texts }) => isNear(texts.question)).map(({ entry }) => entry.run.summary.id);
        expect((await idsOf(search, filter)).sort()).toEqual(expected.sort());
        expect((await search.nearness(filter, signal))?.missing).toBe(
          met.filter(({ texts }) => degrees.get(texts.question) === null).length,
        );
      }),
      { numRuns: 40 },
    );
  });
});
