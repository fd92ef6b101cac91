/** @file The entry of a run in the index of runs, and its validation. */
import * as z from 'zod/mini';
import { foldEvents, questionHashOf, type IndexedRun, type Run, type RunStore, type RunSummary } from '../../contract';
import { record } from '../columns/growing';
import { NAMES, RUN_LAYOUT, STEP_LAYOUT } from '../columns/layout';
import { LABEL_LAYOUT, type TableChunk } from '../columns/run-table';
import { hasVerdicts, type Truth } from '../checked-answers';
import { indexRun } from '../index-run';
import { foldText, foldTexts } from '../search/fold-text';
import type { Segment } from '../search/segment';

z.config({ jitless: true });

/** Increase this number when the stored form or the derivation of any value changes. The index is then built again. */
export const INDEX_VERSION = 8;

export interface Entry {
  readonly run: IndexedRun;
  /** See `foldTexts`. */
  readonly text: string;
  readonly questionHash: number;
}

export function entryOf(run: Run, truth?: Truth): Entry {
  const { run: indexed, texts } = indexRun(run, truth);
  // The index does not need the small picture of the workflow (`glyph`).
  const summary = { ...indexed.summary, glyph: [] };
  return { run: { ...indexed, summary }, text: foldTexts(texts), questionHash: questionHashOf(texts.question) };
}

/** The entry of a run whose events can't be read. It is made from the run's summary, so that the run is still listed. */
function entryOfSummary(summary: RunSummary): Entry {
  const { question, title = '', note = '', labels } = summary;
  const run: IndexedRun = {
    summary: { ...summary, glyph: [] },
    conductorKind: 'by-hand',
    domain: 'knowledge',
    shape: null,
    grammar: null,
    planUsd: 0,
    laterUsd: 0,
    judgeUsd: 0,
    judgeUnpriced: 0,
    parentId: null,
    dataset: null,
    method: null,
    gradedBy: null,
    steps: [],
  };
  const text = [question, title, note, ...labels].map((each) => foldText(each).trim()).join('\n');
  return { run, text, questionHash: questionHashOf(question) };
}

/** Finds out which earlier answers of a run are right. */
export type TruthOf = (run: Run) => Promise<Truth>;

/** Reads runs and creates their entries, in the order of the ids. `null`: the run was deleted. */
export async function readEntries(
  store: Pick<RunStore, 'readMany' | 'summary'>,
  ids: readonly string[],
  truthOf?: TruthOf,
): Promise<readonly (Entry | null)[]> {
  const read = await store.readMany(ids);
  return Promise.all(
    ids.map(async (id, index) => {
      const run = foldEvents(read[index] ?? []);
      if (run) return entryOf(run, hasVerdicts(run) ? await truthOf?.(run) : undefined);
      const summary = await store.summary(id);
      return summary && entryOfSummary(summary);
    }),
  );
}

/** The stored form of a chunk. A chunk is a part of the index: the table and the search index of many runs. */
export interface StoredChunk {
  readonly table: TableChunk;
  readonly segment: Segment;
}

const count = z.int().check(z.nonnegative());
const strings = z.array(z.string());
const numbers = z.instanceof(Float64Array<ArrayBuffer>);
const codes = z.instanceof(Uint32Array<ArrayBuffer>);
const kinds = z.instanceof(Uint8Array<ArrayBuffer>);
const shorts = z.instanceof(Uint16Array<ArrayBuffer>);

const chunkShape = z.object({
  table: z.object({
    ids: strings,
    runs: z.object({
      length: count,
      numbers: z.object(record(RUN_LAYOUT.numbers, () => numbers)),
      codes: z.object(record(RUN_LAYOUT.codes, () => codes)),
      kinds: z.object(record(RUN_LAYOUT.kinds, () => kinds)),
    }),
    steps: z.object({
      length: count,
      numbers: z.object(record(STEP_LAYOUT.numbers, () => numbers)),
      codes: z.object(record(STEP_LAYOUT.codes, () => codes)),
      kinds: z.object(record(STEP_LAYOUT.kinds, () => kinds)),
    }),
    labels: z.object({
      length: count,
      numbers: z.object({}),
      codes: z.object(record(LABEL_LAYOUT.codes, () => codes)),
      kinds: z.object({}),
    }),
    counts: z.object({ steps: codes, labels: codes }),
    names: z.object(record(NAMES, () => strings)),
  }),
  segment: z.object({
    rows: count,
    words: z.string(),
    starts: codes,
    frequent: count,
    bitmaps: codes,
    lists: shorts,
    ends: codes,
  }),
});

const sumOf = (counts: Uint32Array) => counts.reduce((sum, each) => sum + each, 0);

/** Validates a stored chunk. Throws a `ZodError` or a `RangeError` if the value is not a chunk. */
export function readChunk(value: unknown): StoredChunk {
  const chunk = chunkShape.parse(value);
  const { ids, runs, steps, labels, counts } = chunk.table;
  const columns: readonly (readonly [{ readonly length: number }, number])[] = [
    [ids, runs.length],
    [counts.steps, runs.length],
    [counts.labels, runs.length],
    ...[runs, steps, labels].flatMap((rows) =>
      [rows.numbers, rows.codes, rows.kinds].flatMap((group) =>
        Object.values<{ readonly length: number }>(group).map((column) => [column, rows.length] as const),
      ),
    ),
  ];
  const isWhole =
    columns.every(([{ length }, rows]) => length === rows) &&
    chunk.segment.rows === runs.length &&
    sumOf(counts.steps) === steps.length &&
    sumOf(counts.labels) === labels.length;
  if (!isWhole) throw new RangeError('A chunk of the index is damaged.');
  return chunk;
}

/**
 * Validates the stored marks of out-of-date rows. The marks are an array with 1 for each out-of-date row, or
 * `null` if there is no such row. Throws a `RangeError` for any other value.
 */
export function readDead(value: unknown, rows: number): Uint8Array<ArrayBuffer> {
  if (value === null) return new Uint8Array(rows);
  if (!(value instanceof Uint8Array) || value.length !== rows) throw new RangeError('A part of the index is damaged.');
  return new Uint8Array(value);
}

/** The parts of an entry that the table needs. Other parts are not validated. */
const runShape = z.object({
  summary: z.object({ id: z.string(), startedAt: z.number(), labels: strings }),
  steps: z.array(z.object({ worker: z.string(), role: z.string() })),
});

const entryShape = z.object({
  run: z.custom<IndexedRun>((value) => runShape.safeParse(value).success),
  text: z.string(),
  questionHash: z.number(),
});

/** Validates an entry. Throws a `ZodError` if the value is not an entry. */
export function readEntry(value: unknown): Entry {
  return entryShape.parse(value);
}

/** Reads a block of folded texts (see `foldText`). A damaged block becomes empty. */
export function readTexts(value: unknown): readonly string[] {
  const texts = strings.safeParse(value);
  return texts.success ? texts.data : [];
}
