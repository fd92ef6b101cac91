/**
 * @file `npm run bench -- scan`: measures a plain scan over runs as objects in memory, and compares it with the index of runs on
 * the same data. The scan would make the columns and the text segments of the index needless, if it were fast enough and its
 * texts fitted into memory. Measures the scan for 1,000, 10,000 and 100,000 runs, without a database.
 */
import type { RunSummary } from '../../src/core/contract';
import { ALL_RUNS, type RunFilter, type RunSort } from '../../src/core/contract';
import { RunSearch } from '../../src/core/analysis/run-index/run-search';
import type { Entry } from '../../src/core/analysis/run-index/entry';
import { drawsFrom, madeRun, VOCABULARY } from './index/archive';
import { median, table } from './report';

const TIMES = 9;
/** Without a database, the index can't seal its texts, which makes it too slow for more runs. */
const MOST_INDEXED = 10_000;
const { signal } = new AbortController();
const FILTER: RunFilter = { ...ALL_RUNS, domains: ['maths'], grades: ['right'], workers: ['Worker 3'] };
const SORT: RunSort = { by: 'usd', descending: true };
const FREQUENT = VOCABULARY[40] ?? '';
const RARE = VOCABULARY[55_000] ?? '';

/** The facts of a run that its filters, sort orders and totals need. */
type Compact = Entry['run'];

const isMatch = ({ summary, domain, steps }: Compact) =>
  domain === 'maths' && summary.correct === true && steps.some(({ worker }) => worker === 'Worker 3');

const byCost = (one: Compact, other: Compact) => other.summary.usd - one.summary.usd;

function totalsOf(runs: readonly Compact[]) {
  const sums = { runs: 0, right: 0, usd: 0, tokens: 0, time: 0 };
  for (const { summary } of runs) {
    sums.runs += 1;
    if (summary.correct) sums.right += 1;
    sums.usd += summary.usd;
    sums.tokens += summary.tokens;
    sums.time += summary.time;
  }
  return sums;
}

async function timeOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return median(times);
}

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
const MB = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

function used(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const rows: string[][] = [];
const SIZES = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
for (const runs of SIZES) {
  const draw = drawsFrom(1);
  const search = new RunSearch();
  const before = used();
  const compact: Compact[] = [];
  const texts: string[] = [];
  const answers: string[] = [];
  for (let place = 0; place < runs; place++) {
    const { entry, question, outputs } = madeRun(place, draw);
    compact.push(entry.run);
    // `Buffer` makes a flat string, because the parts of a joined string would be kept beside it.
    texts.push(Buffer.from(entry.text).toString());
    answers.push(`${question}\n${outputs.at(-1) ?? ''}`.toLowerCase());
  }
  const memory = used() - before;
  const drawAgain = drawsFrom(1);
  const isIndexed = runs <= MOST_INDEXED;
  for (let place = 0; isIndexed && place < runs; place++) search.runs.put(madeRun(place, drawAgain).entry);
  const found = (all: readonly string[], word: string) => all.filter((text) => text.includes(word)).length;
  const indexed = (filter: RunFilter) => {
    // Without this change, the search would answer from its cache.
    let times = 0;
    return () => search.totals({ ...filter, startedAt: { least: (times += 1), most: null } }, signal);
  };
  let order = 0;
  const sorted = () =>
    search.places(
      { filter: { ...FILTER, startedAt: { least: -(order += 1), most: null } }, sort: SORT },
      signal,
      0,
      50,
    );
  const list: (readonly RunSummary[])[] = [];
  rows.push([
    runs.toLocaleString('en-US'),
    ms(await timeOf(() => totalsOf(compact.filter(isMatch)))),
    ms(
      await timeOf(() =>
        list.push(
          compact
            .filter(isMatch)
            .toSorted(byCost)
            .slice(0, 50)
            .map(({ summary }) => summary),
        ),
      ),
    ),
    ms(await timeOf(() => compact.toSorted(byCost))),
    ms(await timeOf(() => found(texts, RARE))),
    ms(await timeOf(() => found(texts, FREQUENT))),
    ms(await timeOf(() => found(answers, RARE))),
    MB(memory),
    isIndexed ? ms(await timeOf(indexed(FILTER))) : '',
    isIndexed ? ms(await timeOf(sorted)) : '',
  ]);
}
table(
  (line) => console.log(line),
  'A scan over objects, and the columns of the index (medians)',
  [
    'runs',
    'filter, totals',
    'filter, sort',
    'sort all',
    'rare word',
    'frequent word',
    'rare word in answers',
    'memory',
    'columns: filter, totals',
    'columns: filter, sort',
  ],
  rows,
);
