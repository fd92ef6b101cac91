/**
 * @file Measures the time and the memory of exporting 100,000 runs. Each run is generated when it is read, so no database is
 * measured. Asserts nothing. Run with `npm run bench -- files`, or `npm run bench -- files 20000` for another number of runs.
 */
import { exportBytes } from '../../src/composition/exports/run-exports';
import { foldEvents, summarize, type RunExport, type RunStore, type StoredEvent } from '../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../fixtures/run-events';
import { median, table } from './report';

const RUNS = Number(process.argv[2] ?? 100_000);
const MB = 1024 * 1024;
/** The number of pieces between two measurements of the memory. A piece of a Parquet file is a row group. */
const everyOf = ({ format }: RunExport) => (format === 'parquet' ? 1 : 50);
const TEXT = 'A step writes about eighty words. '.repeat(14);

const template = stampEvents(finishedRunBodies()).map((event): StoredEvent =>
  event.type === 'step-finished' ? { ...event, output: `${event.output} ${TEXT}` } : event,
);
const run = foldEvents(template);
if (!run) throw new Error('The run has not started.');
const summary = summarize(run);

const store: Pick<RunStore, 'read' | 'summary' | 'summaries' | 'count'> = {
  read: (runId) => Promise.resolve(template.map((event) => ({ ...event, runId }))),
  summary: (id) => Promise.resolve({ ...summary, id }),
  summaries: ({ limit, after }) => {
    const from = Number(after ?? 0);
    const to = Math.min(RUNS, from + limit);
    const summaries = Array.from({ length: to - from }, (_, index) => ({ ...summary, id: `run-${from + index}` }));
    return Promise.resolve({ summaries, next: to < RUNS ? String(to) : null });
  },
  count: () => Promise.resolve(RUNS),
};

const FORMATS: readonly (readonly [string, RunExport])[] = [
  ['CSV, runs', { format: 'csv', table: 'runs' }],
  ['CSV, steps', { format: 'csv', table: 'steps' }],
  ['CSV, events', { format: 'csv', table: 'events' }],
  ['Parquet, runs', { format: 'parquet', table: 'runs' }],
  ['Parquet, steps', { format: 'parquet', table: 'steps' }],
  ['Parquet, events', { format: 'parquet', table: 'events' }],
  ['OpenTelemetry, with content', { format: 'open-telemetry', content: true }],
  ['Inspect', { format: 'inspect' }],
];

/** Memory in use by objects and buffers, in bytes. */
function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const rows: string[][] = [];
for (const [name, what] of FORMATS) {
  globalThis.gc?.();
  const before = used();
  let [bytes, pieces, peak, kept] = [0, 0, 0, 0];
  const pauses: number[] = [];
  const started = performance.now();
  let last = started;
  const listener = {
    signal: new AbortController().signal,
    leftOut: () => {},
    onprogress: () => {},
    isConfidential: () => Promise.resolve(false),
  };
  for await (const piece of exportBytes(store, { what, ids: null, app: 'bench', now: 0 }, listener)) {
    const now = performance.now();
    pauses.push(now - last);
    bytes += piece.length;
    pieces += 1;
    if (pieces % everyOf(what) === 0) {
      peak = Math.max(peak, used() - before);
      globalThis.gc?.();
      kept = Math.max(kept, used() - before);
    }
    last = performance.now();
  }
  const seconds = (performance.now() - started) / 1000;
  rows.push([
    name,
    `${seconds.toFixed(1)} s`,
    `${((seconds * 1e6) / RUNS).toFixed(0)} µs`,
    `${(bytes / MB).toFixed(0)} MB`,
    `${median(pauses).toFixed(0)} ms`,
    `${(peak / MB).toFixed(0)} MB`,
    `${(kept / MB).toFixed(0)} MB`,
  ]);
}
const head = ['', 'time', 'per run', 'file', 'per piece', 'peak memory', 'after collection'];
table(console.log, `Exporting ${RUNS.toLocaleString('en-US')} runs of 3 steps, Node ${process.version}`, head, rows);
