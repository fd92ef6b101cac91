/** @file Writes runs to a file, piece by piece. Only one piece is in memory at a time. */
import {
  foldEvents,
  summarize,
  type BatchReference,
  type ConfidentialityCheck,
  type ProgressListener,
  type RunExport,
  type RunStore,
} from '../../core/contract';
import type { RunRecord, TaskFacts } from '../../core/analysis/exports/table';
import { EXPORT_TABLES, textExport } from '../../core/analysis/exports/tables';
import {
  LOG_END,
  logGroupOf,
  logName,
  LogOverview,
  logStart,
  SampleWriter,
  type LogOptions,
} from '../../core/analysis/exports/inspect-log';
import { exportedRuns } from '../../platform/store/exported-runs';
import { gzip, streamLines } from '../../platform/store/files';
import type { IndexedRunStore } from '../../platform/store/run-store';
import { exportRuns } from '../../platform/store/transfer';
import { ZipWriter } from '../../platform/store/zip-writer';
import { presetFor } from '../../platform/workers/providers';

/** Minimum length of a piece of a text file, in UTF-16 units. Only the last piece may be shorter. */
const PIECE = 256 * 1024;

/** A format and its options. `podium`: a file that Podium can import. */
export type FileExport = RunExport | { readonly format: 'podium'; readonly compress: boolean };

export interface ExportRequest extends LogOptions {
  readonly what: FileExport;
  /** Ids of the runs to export. `null`: all runs, newest first. */
  readonly ids: readonly string[] | null;
}

export interface ExportListener {
  readonly signal: AbortSignal;
  /**
   * Called with a sentence for each run that can't be read, and with one sentence for all confidential runs. See
   * `exportedRuns`.
   */
  readonly leftOut: (message: string) => void;
  /** Whether a run must not leave this browser. */
  readonly isConfidential: ConfidentialityCheck;
  /** Finds what runs of batches do not contain. Default: nothing is found. */
  readonly factsOf?: (batch: BatchReference) => Promise<TaskFacts>;
  readonly onprogress: ProgressListener;
}

type Bytes = Uint8Array<ArrayBuffer>;
/** Without `image`, runs are exported without their images. */
type Source = Pick<RunStore, 'read' | 'summaries' | 'count'> & Partial<Pick<IndexedRunStore, 'image'>>;

/** Converts the requested runs to a file. @yields the bytes of the file in order */
export async function* exportBytes(
  store: Source,
  request: ExportRequest,
  listener: ExportListener,
): AsyncGenerator<Bytes, void, undefined> {
  const { what, ids } = request;
  if (what.format === 'podium') {
    const plain = streamLines(exportRuns(store, ids, listener));
    yield* piecesOf(what.compress ? gzip(plain) : plain);
    return;
  }
  if (what.format === 'inspect') {
    yield* inspectLogs(store, request, listener);
    return;
  }
  const records = recordsOf(store, request, listener);
  if (what.format === 'parquet') {
    const { TableWriter } = await import('../../platform/store/parquet-writer');
    const { columns, rowsOf } = EXPORT_TABLES[what.table];
    const writer = new TableWriter(columns);
    for await (const record of records) {
      for (const row of rowsOf(record)) {
        const bytes = writer.add(row);
        if (bytes) yield bytes;
      }
    }
    yield writer.finish();
    return;
  }
  const encoder = new TextEncoder();
  const text = textExport(what, request);
  let piece = text.start;
  for await (const record of records) {
    piece += text.run(record);
    if (piece.length < PIECE) continue;
    yield encoder.encode(piece);
    piece = '';
  }
  yield encoder.encode(piece);
}

/** A ZIP archive with one log for each method and dataset. */
async function* inspectLogs(
  store: Source,
  request: ExportRequest,
  listener: ExportListener,
): AsyncGenerator<Bytes, void, undefined> {
  // The header of a log contains facts about all its runs. So the runs are read once before the logs are written.
  const logs = new Map<string, { readonly overview: LogOverview; readonly ids: string[] }>();
  for await (const record of recordsOf(store, request, { ...listener, onprogress: () => {} })) {
    const group = logGroupOf(record);
    const log = logs.get(group.key) ?? { overview: new LogOverview(group), ids: [] };
    logs.set(group.key, log);
    log.overview.add(record.run, summarize(record.run));
    log.ids.push(record.run.id);
  }
  const encoder = new TextEncoder();
  const zip = new ZipWriter();
  const of = [...logs.values()].reduce((sum, { ids }) => sum + ids.length, 0);
  let [number, written] = [0, 0];
  for (const { overview, ids } of logs.values()) {
    number += 1;
    const samples = new SampleWriter();
    yield zip.begin(logName(overview.group, request, number));
    let piece = logStart(request, overview, number);
    const onprogress = (done: number) => listener.onprogress(written + done, of);
    const silent = { ...listener, leftOut: () => {}, onprogress };
    for await (const record of recordsOf(store, { ...request, ids }, silent)) {
      piece += samples.sample(record);
      if (piece.length < PIECE) continue;
      yield zip.add(encoder.encode(piece));
      piece = '';
    }
    yield zip.add(encoder.encode(piece + LOG_END));
    yield zip.end();
    written += ids.length;
  }
  yield zip.finish();
}

/** Uses a reader, because not all browsers can iterate over a stream. */
async function* piecesOf(stream: ReadableStream<Bytes>): AsyncGenerator<Bytes, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

async function* recordsOf(
  store: Source,
  { ids }: ExportRequest,
  { onprogress, factsOf, ...options }: ExportListener,
): AsyncGenerator<RunRecord, void, undefined> {
  const of = ids ? ids.length : await store.count();
  let done = 0;
  for await (const events of exportedRuns(store, ids, options)) {
    const run = foldEvents(events);
    if (run) yield { run, events, providerOf, ...(run.batch && factsOf ? { facts: await factsOf(run.batch) } : {}) };
    done += 1;
    // Runs may have been added after `of` was counted.
    onprogress(done, Math.max(done, of));
  }
}

function providerOf(origin: string): string | null {
  const { id, telemetryName = id } = presetFor(origin);
  return id === 'custom' ? null : telemetryName;
}
