import { describe, expect, test } from 'vitest';
import { ALL_RUNS, ANY_STEP, NEAREST_FIRST, NEWEST_FIRST, type RunQuery } from '../../../src/core/contract';
import {
  dayBound,
  queryAddress,
  readRunQuery,
  runQueryText,
  runsAddress,
  withFilter,
} from '../../../src/app/state/run-query-text';

const FULL: RunQuery = {
  filter: {
    words: 'trains "at noon" Ω & more',
    byMeaning: true,
    conductors: ['Qwen2.5 7B', 'By hand'],
    workers: ['Alder'],
    providers: ['api.example.com'],
    shapes: ['one step', 'fan-in'],
    roles: ['verify'],
    steps: [
      { ...ANY_STEP, worker: 'Alder & Söhne = 1', provider: '', role: 'solve', isFinished: true, hasContent: true },
      { ...ANY_STEP, otherThan: ['Birch, or %26', ''] },
    ],
    domains: ['maths', 'code'],
    grades: ['wrong', 'none'],
    rewards: [0, 0.5],
    validities: ['invalid'],
    statuses: ['failed', 'interrupted'],
    labels: ['to do, soon'],
    batches: ['b-1'],
    grammar: false,
    decided: true,
    priced: false,
    spentOn: ['plans', 'discarded'],
    simulated: false,
    imported: true,
    starred: true,
    usd: { least: 0.01, most: null },
    time: { least: 1500, most: 60_000 },
    rounds: { least: 2, most: 3 },
    startedAt: { least: dayBound('2026-11-02', false), most: 1_795_000_000_123 },
    similarity: { least: 0.8660253882408142, most: null },
    without: [],
  },
  sort: { by: 'usd', descending: true },
};

describe('the query of an address', () => {
  test('keeps every condition and the sort order when written and read back', () => {
    expect(readRunQuery(runQueryText(FULL))).toEqual(FULL);
  });

  test('is empty for all runs, newest first', () => {
    expect(runQueryText({ filter: ALL_RUNS, sort: NEWEST_FIRST })).toBe('');
    expect(readRunQuery('')).toEqual({ filter: ALL_RUNS, sort: NEWEST_FIRST });
    expect(queryAddress('/runs', { filter: ALL_RUNS, sort: NEWEST_FIRST })).toBe('/runs');
  });

  test('uses readable names for fields and the sort order', () => {
    const filter = { ...ALL_RUNS, words: 'dates', grades: ['wrong'], usd: { least: null, most: 0.5 } } as const;
    expect(runQueryText({ filter, sort: { by: 'startedAt', descending: false } })).toBe(
      'q=dates&grade=wrong&cost=..0.5&sort=date',
    );
  });

  test('has similarity as the default sort order for a search by meaning', () => {
    const filter = { ...ALL_RUNS, words: 'dates', byMeaning: true };
    expect(runQueryText({ filter, sort: NEAREST_FIRST })).toBe('q=dates&by=meaning');
    expect(runQueryText({ filter, sort: NEWEST_FIRST })).toBe('q=dates&by=meaning&sort=-date');
    expect(readRunQuery('q=dates&by=meaning')).toEqual({ filter, sort: NEAREST_FIRST });
    expect(readRunQuery('q=dates&by=meaning&sort=-date')).toEqual({ filter, sort: NEWEST_FIRST });
    expect(readRunQuery('q=dates&sort=-similarity').sort).toEqual(NEWEST_FIRST);
  });

  test('writes whole days as dates, and includes the last day', () => {
    const startedAt = { least: dayBound('2026-11-02', false), most: dayBound('2026-11-03', true) };
    const address = runsAddress({ startedAt });
    expect(address).toBe('#/runs?from=2026-11-02&to=2026-11-03');
    expect(readRunQuery('from=2026-11-02&to=2026-11-03').filter.startedAt).toEqual(startedAt);
  });

  test.each([
    'grade=best&shape=star&role=boss&kind=cooking&plan=maybe&status=lost&reward=2',
    'simulated=1&starred=true&imported=',
    'cost=cheap&time=5&from=yesterday&to=2026-13-40',
    'from=2026-02-30&to=2025-02-29T10:00:00.000Z',
    'sort=beauty&unknown=1&conductor=&tag=',
    `worker=${'x'.repeat(2001)}`,
    'step=&step=role%3Dboss&step=finished%3Dno&grammar=some&spent=sweets&rounds=many&decided=&priced=1',
    'cost=-1..2&time=1e9..&q=%20%20',
  ])('ignores unknown names and values in %s', (text) => {
    const { filter, sort } = readRunQuery(text);
    expect({ ...filter, words: filter.words.trim() }).toEqual(ALL_RUNS);
    expect(sort).toEqual(NEWEST_FIRST);
  });

  test('has no bounds for a date that does not exist', () => {
    for (const isEnd of [false, true]) {
      expect(dayBound('2024-02-29', isEnd)).not.toBeNaN();
      for (const day of ['2026-02-30', '2025-02-29', '2026-04-31', '2026-02-32', ''])
        expect(dayBound(day, isEnd)).toBeNaN();
    }
  });

  test('keeps known values beside unknown values, without duplicates', () => {
    const { filter } = readRunQuery('grade=wrong&grade=best&grade=right&grade=wrong');
    expect(filter.grades).toEqual(['wrong', 'right']);
  });

  test('switches to similarity order for a search by meaning, and keeps an order chosen later', () => {
    const byWords = { ...ALL_RUNS, words: 'dates' };
    const byMeaning = { ...byWords, byMeaning: true };
    const byCost = { by: 'usd', descending: true } as const;
    expect(withFilter({ filter: byWords, sort: byCost }, byMeaning).sort).toEqual(NEAREST_FIRST);
    expect(withFilter({ filter: byMeaning, sort: NEAREST_FIRST }, byWords).sort).toEqual(NEWEST_FIRST);
    expect(withFilter({ filter: byMeaning, sort: byCost }, byWords).sort).toEqual(byCost);
    expect(withFilter({ filter: byMeaning, sort: byCost }, { ...byMeaning, words: 'times' }).sort).toEqual(byCost);
  });

  test('drops similarity limits when the words or the search mode change, unless the limits change too', () => {
    const limited = { ...ALL_RUNS, words: 'dates', byMeaning: true, similarity: { least: 0.8, most: null } };
    const query = { filter: limited, sort: NEAREST_FIRST };
    expect(withFilter(query, { ...limited, starred: true }).filter.similarity).toEqual(limited.similarity);
    expect(withFilter(query, { ...limited, words: 'times' }).filter.similarity).toEqual(ALL_RUNS.similarity);
    expect(withFilter(query, { ...limited, byMeaning: false }).filter.similarity).toEqual(ALL_RUNS.similarity);
    const saved = { ...limited, words: 'times', similarity: { least: 0.7, most: null } };
    expect(withFilter(query, saved).filter.similarity).toEqual(saved.similarity);
  });

  test('reads at most 50 values of a field', () => {
    const text = Array.from({ length: 80 }, (_, index) => `tag=${index}`).join('&');
    expect(readRunQuery(text).filter.labels.length).toBe(50);
  });
});
