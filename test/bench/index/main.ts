/**
 * @file Benchmarks the index of runs, which a Web Worker keeps. Compares it with bare IndexedDB and with plain loops over arrays
 * in the same page. `scripts/bench-index.mjs` opens this page and prints its console output. The URL's hash is the number of
 * runs.
 */
import { openDB } from 'idb';
import { createIndexDesk } from '../../../src/composition/run-index/index-desk';
import { ALL_RUNS, NEWEST_FIRST, type RunFilter, type RunIndex, type RunSummary } from '../../../src/core/contract';
import type { Database } from '../../../src/platform/store/database';
import type { PodiumSchema } from '../../../src/platform/store/migrations';
import { withDatabase } from '../browser/database';
import { median, table } from '../report';
import { STEPS, VOCABULARY } from './archive';
import { CHUNK, fillIndex } from './fill';
import { benchEmbedder, benchMeaning, fillVectors } from './meaning';
import { watchGaps } from './watch-gaps';
import { benchWriting } from './writing';

declare global {
  var benchDone: boolean | undefined;
}

const print = (line: string) => console.log(line);
const RUNS = Number(location.hash.slice(1)) || 100_000;
const ROWS = 50;
const TIMES = 15;
const { signal } = new AbortController();

/** The runs of the database as plain arrays in the page. */
interface Plain {
  readonly summaries: RunSummary[];
  readonly questions: string[];
  readonly roles: readonly string[][];
  /** Questions and answers, lower-cased. */
  readonly short: string[];
  /** All outputs of a run, lower-cased. */
  readonly long: string[];
}

async function fill(database: Database, name: string): Promise<Plain> {
  const plain: Plain = { summaries: [], questions: [], roles: [], short: [], long: [] };
  const { built, elapsed } = await fillIndex(database, name, RUNS, ({ summary, entry, question, outputs }) => {
    plain.summaries.push(summary);
    plain.questions.push(question);
    plain.roles.push(entry.run.steps.map(({ role }) => role));
    plain.short.push(`${question}\n${outputs.at(-1) ?? ''}`.toLowerCase());
    plain.long.push(outputs.join('\n').toLowerCase());
  });
  print(
    `\nWrote chunks of ${CHUNK} runs. Median time for a chunk: ${median(elapsed).toFixed(0)} ms, without the disk ${median(built).toFixed(0)} ms`,
  );
  return plain;
}

function caughtUp(index: RunIndex): Promise<void> {
  return new Promise((resolve) => {
    const stop = index.listen(() => {
      const { indexed, of } = index.state();
      if (indexed < RUNS || indexed < of) return;
      stop();
      resolve();
    });
  });
}

/** The longest time for which the page's main thread was blocked during queries of the index. */
let longestGap = 0;

/** Like `times`, but for queries of the index. Also measures how long they block the main thread. */
async function secondTimes(work: (time: number) => Promise<unknown>, count = TIMES): Promise<number> {
  const watch = watchGaps();
  const elapsed = await times(work, count);
  longestGap = Math.max(longestGap, watch.stop());
  return elapsed;
}

async function times(work: (time: number) => Promise<unknown> | unknown, count = TIMES): Promise<number> {
  const elapsed: number[] = [];
  for (let time = 0; time < count; time++) {
    const before = performance.now();
    await work(time);
    elapsed.push(performance.now() - before);
  }
  return median(elapsed);
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const ratio = (ours: number, other: number) => `${(ours / other).toFixed(2)} ×`;

async function benchRows(index: RunIndex, name: string): Promise<void> {
  const query = { filter: ALL_RUNS, sort: NEWEST_FIRST };
  const connection = await openDB<PodiumSchema>(name);
  await index.rows(query, 0, ROWS, signal);
  const ours = await secondTimes(() => index.rows(query, 0, ROWS, signal));
  const unread = await secondTimes((time) => index.rows(query, 1000 * (time + 1), ROWS, signal));
  const bare = await times(() => connection.getAll('summaries', null, ROWS));
  const sorted = await secondTimes((time) => {
    return index.rows(
      { filter: { ...ALL_RUNS, usd: { least: time / 1e6, most: null } }, sort: { by: 'usd', descending: true } },
      0,
      ROWS,
      signal,
    );
  }, 5);
  connection.close();
  table(
    print,
    `Rows: ${ROWS} of ${RUNS.toLocaleString('en')}`,
    ['', 'median', 'to bare idb', 'target (maximum)'],
    [
      ['newest, repeated query', ms(ours), ratio(ours, bare), '1 ms'],
      ['older rows, not read before', ms(unread), ratio(unread, bare), ''],
      ['filtered and sorted by cost, first time', ms(sorted), ratio(sorted, bare), ''],
      ['bare idb: getAll of the newest', ms(bare), '1 ×', ''],
    ],
  );
}

async function benchFilters(index: RunIndex, plain: Plain): Promise<void> {
  // Each query uses another filter, so that no cached result is returned.
  const filterAt = (time: number): RunFilter => ({
    ...ALL_RUNS,
    conductors: ['Conductor 1', 'Conductor 2'],
    grades: ['right'],
    usd: { least: time / 1e6, most: 0.04 },
  });
  const roleAt = (time: number): RunFilter => ({ ...filterAt(time), roles: ['verify'] });
  const loop = (withRoles: boolean, least: number) =>
    plain.summaries.filter(
      ({ conductor, correct, usd }, place) =>
        (conductor === 'Conductor 1' || conductor === 'Conductor 2') &&
        correct === true &&
        usd >= least &&
        usd <= 0.04 &&
        (!withRoles || plain.roles[place]?.includes('verify')),
    ).length;
  const ours = await secondTimes((time) => index.totals(filterAt(time), signal));
  const roles = await secondTimes((time) => index.totals(roleAt(time), signal));
  const looped = await times((time) => loop(false, time / 1e6));
  const loopedRoles = await times((time) => loop(true, time / 1e6));
  const facets = await secondTimes(() => index.facets(signal));
  const { runs } = await index.totals(roleAt(0), signal);
  if (runs !== loop(true, 0)) throw new Error('The index and the loop disagree.');
  table(
    print,
    'Filters and totals',
    ['', 'median', 'to a loop', 'target (maximum)'],
    [
      ['three conditions on runs', ms(ours), ratio(ours, looped), '20 ms'],
      ['three conditions on runs, one on a step’s role', ms(roles), ratio(roles, loopedRoles), '20 ms'],
      ['values of all filters', ms(facets), '', ''],
      ['a loop over objects, three conditions', ms(looped), '1 ×', ''],
    ],
  );
}

async function benchWords(index: RunIndex, plain: Plain): Promise<void> {
  const word = (rank: number) => VOCABULARY[rank] ?? '';
  const cases: readonly (readonly [string, (time: number) => string])[] = [
    ['a rare word', (time) => word(50_000 + time)],
    ['a word of middling frequency', (time) => word(2000 + time)],
    ['a frequent word', (time) => word(5 + time)],
    ['a prefix of a word', (time) => word(9000 + time).slice(0, 3)],
    ['one letter', (time) => 'abcdefghijklmnopqrstuvw'[time] ?? 'x'],
    ['two words', (time) => `${word(300 + time)} ${word(800 + time)}`],
    ['no match', (time) => `${word(time)}žž`],
  ];
  const rows: string[][] = [];
  for (const [name, typed] of cases) {
    const ours = await secondTimes((time) => index.totals({ ...ALL_RUNS, words: typed(time) }, signal));
    const scan = (texts: readonly string[], words: readonly string[]) =>
      texts.filter((text) => words.every((each) => text.includes(each))).length;
    const short = await times((time) => scan(plain.short, typed(time).split(' ')), 3);
    const long = await times((time) => scan(plain.long, typed(time).split(' ')), 3);
    rows.push([name, ms(ours), ratio(ours, short), ratio(ours, long), '30 ms']);
  }
  for (const time of [0, 1]) {
    const phrase = plain.long[7 + time]?.split(' ').slice(10, 13).join(' ') ?? '';
    const ours = await secondTimes(() => index.totals({ ...ALL_RUNS, words: `"${phrase}"` }, signal), 1);
    rows.push(['a phrase of three words, first time', ms(ours), '', '', '']);
  }
  const common = `"${word(0)} ${word(1)}"`;
  const early = await secondTimes(() => index.totals({ ...ALL_RUNS, words: common }, signal, { early: true }), 1);
  rows.push(['the two most frequent words as a phrase, early result', ms(early), '', '', '']);
  const worst = await secondTimes(() => index.totals({ ...ALL_RUNS, words: common }, signal), 1);
  rows.push(['… complete result', ms(worst), '', '', '']);
  const title = 'Words in questions, answers and outputs';
  table(
    print,
    title,
    ['', 'median', 'to scanning questions and answers', 'to scanning outputs', 'target (maximum)'],
    rows,
  );
}

async function printMemory(): Promise<void> {
  if (!('measureUserAgentSpecificMemory' in performance)) return;
  const measure = performance.measureUserAgentSpecificMemory;
  if (typeof measure !== 'function') return;
  const { breakdown } = await measure.call(performance);
  for (const { bytes, attribution } of breakdown) {
    const scope = attribution[0]?.scope ?? '';
    if (bytes > 5e6) print(`  memory: ${(bytes / 1e6).toFixed(0)} MB ${scope}`);
  }
}

await withDatabase(async (database, name) => {
  const plain = await fill(database, name);
  const vectors = await fillVectors(name, plain.questions);
  const opened = performance.now();
  const index = createIndexDesk({ database: name, embedder: benchEmbedder });
  await caughtUp(index);
  print(
    `\nOpened the index of ${RUNS.toLocaleString('en')} runs and ${(RUNS * STEPS).toLocaleString('en')} steps in ${(performance.now() - opened).toFixed(0)} ms, in the Worker`,
  );
  await benchRows(index, name);
  await benchFilters(index, plain);
  await benchWords(index, plain);
  const blocked = longestGap;
  longestGap = 0;
  await benchMeaning(print, index, vectors, secondTimes);
  print(
    `  longest block of the page's main thread while it searched by meaning: ${longestGap.toFixed(0)} ms (aim: 50)`,
  );
  longestGap = blocked;
  const idle = watchGaps();
  await new Promise((resolve) => setTimeout(resolve, 5000));
  print(`  longest block of the page's main thread during these queries: ${longestGap.toFixed(0)} ms (aim: 50)`);
  print(`  … in five seconds without queries: ${idle.stop().toFixed(0)} ms`);
  await printMemory();
});
await benchWriting(print);
globalThis.benchDone = true;
