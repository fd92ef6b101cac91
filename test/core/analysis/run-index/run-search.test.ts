/** @file Checks the index of runs against a loop over all runs. Both must give the same runs, totals and order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunSearch } from '../../../../src/core/analysis/run-index/run-search';
import { ALL_RUNS, NEWEST_FIRST, sampleRunId, SORT_KEYS } from '../../../../src/core/contract';
import { filters, indexedFrom, indexedRuns, matches, type Indexed } from './indexed-runs';

const { signal } = new AbortController();

/**
 * Creates an index. The first runs are in sealed chunks, and the last runs are in the tail. A search uses the inverted index
 * (segment) of each chunk, but scans the tail.
 * @param chunks number of sealed chunks
 * @param onread called when a search reads text blocks of a chunk
 */
async function searchOf(
  runs: readonly Pick<Indexed, 'entry'>[],
  chunks: number,
  onread: (blocks: readonly number[]) => void = () => undefined,
): Promise<RunSearch> {
  const search = new RunSearch();
  for (let chunk = 0; chunk <= chunks; chunk++) {
    const part = runs.slice((chunk * runs.length) / (chunks + 1), ((chunk + 1) * runs.length) / (chunks + 1));
    for (const { entry } of part) search.runs.put(entry);
    if (chunk === chunks) break;
    const sealed = await search.runs.chunkTail(() => Promise.resolve());
    search.runs.seal(chunk, sealed, (blocks) => {
      onread(blocks);
      return Promise.resolve(blocks.map((block) => sealed.texts[block] ?? []));
    });
  }
  return search;
}

async function idsOf(search: RunSearch, query = { filter: ALL_RUNS, sort: NEWEST_FIRST }): Promise<string[]> {
  return (await search.places(query, signal)).map(({ id }) => id);
}

/** Runs that all contain the words “one” and “two”. Every second run also contains the phrase “one two”. */
function runsWithPhrases(count: number): Pick<Indexed, 'entry'>[] {
  const [events = []] = fc.sample(indexedRuns, { numRuns: 5, seed: 1 }).flat();
  const { entry } = indexedFrom(events);
  return Array.from({ length: count }, (_, index) => {
    const summary = { ...entry.run.summary, id: `run-${index}`, startedAt: 1_760_000_000_000 + index };
    return { entry: { ...entry, run: { ...entry.run, summary }, text: index % 2 === 0 ? 'one two' : 'two one' } };
  });
}

describe('the index of runs', () => {
  it('finds the same runs and totals as a loop over all runs, for any filter and writing system', async () => {
    await fc.assert(
      fc.asyncProperty(indexedRuns, filters, fc.nat(3), async (runs, filter, chunks) => {
        const entries = runs.map(indexedFrom);
        const expected = entries.filter((entry) => matches(entry, filter)).map(({ entry }) => entry.run.summary);
        const search = await searchOf(entries, chunks);
        const found = await idsOf(search, { filter, sort: NEWEST_FIRST });
        expect(found.sort()).toEqual(expected.map(({ id }) => id).sort());
        const totals = await search.totals(filter, signal);
        expect(totals).toMatchObject({
          runs: expected.length,
          right: expected.filter(({ correct }) => correct === true).length,
          wrong: expected.filter(({ correct }) => correct === false).length,
          ungraded: expected.filter(({ correct }) => correct === null).length,
          valid: expected.filter(({ isValid }) => isValid === true).length,
          invalid: expected.filter(({ isValid }) => isValid === false).length,
          rewarded: expected.filter(({ reward }) => reward !== undefined).length,
          unpriced: expected.reduce((sum, { unpriced }) => sum + unpriced, 0),
        });
        expect(totals.usd).toBeCloseTo(expected.reduce((sum, { usd }) => sum + usd, 0));
      }),
      { numRuns: 60 },
    );
  });

  it('counts a run with an invalid plan and a right answer as both invalid and right', async () => {
    const [events] = fc.sample(indexedRuns, { numRuns: 50, seed: 1 }).flat();
    if (!events) throw new Error('No run was drawn.');
    const { entry } = indexedFrom(events);
    const summary = { ...entry.run.summary, correct: true, isValid: false, reward: 0 } as const;
    const search = await searchOf([{ entry: { ...entry, run: { ...entry.run, summary } } }], 0);
    const totals = await search.totals(ALL_RUNS, signal);
    expect(totals).toMatchObject({ right: 1, wrong: 0, ungraded: 0, invalid: 1, valid: 0, rewarded: 1, rewards: 0 });
  });

  it('sums the cost of judges separately from the cost of the runs', async () => {
    const [events = [], others = []] = fc.sample(indexedRuns, { numRuns: 50, seed: 1 }).flat();
    const judged = [events, others].map(indexedFrom).map(({ entry, texts }, index) => {
      const summary = { ...entry.run.summary, id: `judged-${index}`, usd: 0.5 };
      return { texts, entry: { ...entry, run: { ...entry.run, summary, judgeUsd: 0.25 * index + 0.125 } } };
    });
    const totals = await (await searchOf(judged, 0)).totals(ALL_RUNS, signal);
    expect(totals).toMatchObject({ runs: 2, usd: 1, judgeUsd: 0.5 });
  });

  it('sums the cost of all runs, and separately the made-up cost of sample runs', async () => {
    const [events = []] = fc.sample(indexedRuns, { numRuns: 50, seed: 1 }).flat();
    const { entry } = indexedFrom(events);
    const runs = ['own', sampleRunId(1), sampleRunId(2)].map((id, index) => {
      const summary = { ...entry.run.summary, id, usd: 0.25 * (index + 1) };
      return { entry: { ...entry, run: { ...entry.run, summary } } };
    });
    expect(await (await searchOf(runs, 1)).totals(ALL_RUNS, signal)).toMatchObject({ usd: 1.5, madeUpUsd: 1.25 });
  });

  it('sorts by any column, breaks ties by newest first, and puts each run on one page', async () => {
    await fc.assert(
      fc.asyncProperty(indexedRuns, fc.constantFrom(...SORT_KEYS), fc.boolean(), async (runs, by, descending) => {
        const entries = new Map(runs.map(indexedFrom).map((each) => [each.entry.run.summary.id, each]));
        const search = await searchOf([...entries.values()], 1);
        const query = { filter: ALL_RUNS, sort: { by, descending } };
        const all = await idsOf(search, query);
        const pages = await Promise.all([0, 5, 10].map((from) => search.places(query, signal, from, from + 5)));
        expect(pages.flat().map(({ id }) => id)).toEqual(all);
        expect(new Set(all)).toEqual(new Set(entries.keys()));
        if (by !== 'startedAt' && by !== 'time' && by !== 'tokens' && by !== 'usd') return;
        for (const [place, id] of all.entries()) {
          const before = entries.get(all[place - 1] ?? '')?.entry.run.summary;
          const here = entries.get(id)?.entry.run.summary;
          if (!before || !here) continue;
          const rise = (here[by] - before[by]) * (descending ? -1 : 1);
          expect(rise).toBeGreaterThanOrEqual(0);
          if (rise === 0) expect(here.startedAt).toBeLessThanOrEqual(before.startedAt);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('finds only the current versions of runs after changes and removals', async () => {
    const other = fc.tuple(indexedRuns, filters, fc.array(fc.nat(11)), fc.nat(2));
    await fc.assert(
      fc.asyncProperty(indexedRuns, other, async (runs, [changed, filter, removed, chunks]) => {
        const search = await searchOf(runs.map(indexedFrom), chunks);
        const now = new Map(runs.map(indexedFrom).map((each) => [each.entry.run.summary.id, each]));
        for (const each of changed.map(indexedFrom)) {
          search.runs.put(each.entry);
          now.set(each.entry.run.summary.id, each);
        }
        for (const id of removed.map((index) => `run-${index}`)) {
          search.runs.remove(id);
          now.delete(id);
        }
        const expected = () => [...now].filter(([, each]) => matches(each, filter)).map(([id]) => id);
        expect((await idsOf(search, { filter, sort: NEWEST_FIRST })).sort()).toEqual(expected().sort());
        search.runs.tidy();
        expect((await idsOf(search, { filter, sort: NEWEST_FIRST })).sort()).toEqual(expected().sort());
        expect(search.runs.size).toBe(now.size);
      }),
      { numRuns: 40 },
    );
  });

  it('counts each run once for each of its workers and labels', async () => {
    await fc.assert(
      fc.asyncProperty(indexedRuns, async (runs) => {
        const entries = runs.map(indexedFrom);
        const { workers, labels } = (await searchOf(entries, 1)).facets();
        for (const { value, runs: count } of workers) {
          expect(entries.filter(({ entry }) => entry.run.steps.some(({ worker }) => worker === value))).toHaveLength(
            count,
          );
        }
        for (const { value, runs: count } of labels) {
          expect(entries.filter(({ entry }) => entry.run.summary.labels.includes(value))).toHaveLength(count);
        }
        const all = new Set(entries.flatMap(({ entry }) => entry.run.summary.labels));
        expect(new Set(labels.map(({ value }) => value))).toEqual(all);
      }),
      { numRuns: 20 },
    );
  });

  it('reads the newest 64 text blocks for an early answer, and the other blocks when asked again', async () => {
    const blocks: number[] = [];
    // There are two chunks of 40 blocks. Each block has 64 runs. The tail has as many runs as a chunk.
    const search = await searchOf(runsWithPhrases(7680), 2, (read) => blocks.push(...read));
    const filter = { ...ALL_RUNS, words: '"one two"' };
    const query = { filter, sort: NEWEST_FIRST };
    const [totals, newest] = await Promise.all([
      search.totals(filter, signal, true),
      search.places(query, signal, 0, 1, true),
    ]);
    expect(totals).toMatchObject({ runs: (2560 + 64 * 64) / 2, unsearched: 16 * 64 });
    expect(newest).toEqual([{ id: 'run-7678', startedAt: 1_760_000_007_678 }]);
    expect(blocks).toHaveLength(64);
    expect(await search.totals(filter, signal, true)).toMatchObject({ runs: 3840, unsearched: 0 });
    expect(blocks).toHaveLength(80);
  });

  it('reads each text block once per phrase, and skips blocks excluded by other conditions', async () => {
    const blocks: number[] = [];
    const search = await searchOf(runsWithPhrases(640), 1, (read) => blocks.push(...read));
    const without = Array.from({ length: 300 }, (_, index) => `run-${index}`);
    const filter = { ...ALL_RUNS, words: '"one two"' };
    expect(await search.totals({ ...filter, without }, signal)).toMatchObject({ runs: 170, unsearched: 0 });
    expect(blocks).toEqual([4]);
    expect(await search.totals(filter, signal)).toMatchObject({ runs: 320, unsearched: 0 });
    expect(blocks).toEqual([4, 0, 1, 2, 3]);
  });

  it('stops reading text blocks when a phrase search is cancelled', async () => {
    const asking = new AbortController();
    const blocks: number[] = [];
    const search = await searchOf(runsWithPhrases(10_240), 1, (read) => {
      blocks.push(...read);
      asking.abort();
    });
    await expect(search.totals({ ...ALL_RUNS, words: '"one two"' }, asking.signal)).rejects.toThrow();
    expect(blocks).toHaveLength(64);
  });
});

describe('the runs of a conversation', () => {
  const conversation = () => {
    const runs = runsWithPhrases(6);
    const threads = [
      undefined,
      undefined,
      { id: 'run-0', turn: 2 },
      { id: 'run-0', turn: 3 },
      { id: 'run-0', turn: 2 },
    ];
    return runs.map(({ entry }, index) => {
      const thread = threads[index];
      const summary = { ...entry.run.summary, ...(thread ? { thread } : {}) };
      return { entry: { ...entry, run: { ...entry.run, summary } } };
    });
  };

  it.each([0, 2])('are found from each of them in order of their turns, with %i chunks', async (chunks) => {
    const search = await searchOf(conversation(), chunks);
    const found = (id: string) => search.thread(id).map((place) => place.id);
    for (const id of ['run-0', 'run-2', 'run-3', 'run-4']) {
      expect(found(id), id).toEqual(['run-0', 'run-2', 'run-4', 'run-3']);
    }
    expect(found('run-1')).toEqual([]);
    expect(found('run-9')).toEqual([]);
    search.runs.remove('run-0');
    expect(found('run-3')).toEqual(['run-2', 'run-4', 'run-3']);
  });

  it('state how many turns the conversation has', async () => {
    const runs = conversation();
    const search = await searchOf(runs, 1);
    const summaries = search.withTurns(runs.map(({ entry }) => entry.run.summary));
    expect(summaries.map(({ turns }) => turns)).toEqual([3, undefined, 3, 3, 3, undefined]);
    const older = runs.map(({ entry: { run } }) => ({ ...run.summary, thread: undefined }));
    const found = search.withTurns(older.map(({ thread: _, ...summary }) => summary));
    expect(found, 'summaries by older versions').toEqual(summaries);
  });
});
