/**
 * @file Stores runs in one append-only file of lines `{"events":[…]}` and `{"deleted":"<run id>"}`. An event that a paid call
 * depends on is on disk before the call is sent. Memory holds the summaries of all runs, and whole runs only while they are in
 * progress. The texts of other runs are read from the file.
 */
import {
  applyEvents,
  foldEvents,
  isOver,
  isRecord,
  isStrict,
  parseJson,
  shrinkDeltas,
  summarize,
  type Run,
  type RunEvent,
  type RunStore,
  type RunSummary,
  type StoredEvent,
} from '../../core/contract';
import { parseStoredEvent } from '../../core/contract/storage/schema';
import { AppendQueue } from '../../platform/store/append-queue';
import { AppendFile, damageWords, type LinePosition } from './append-file';

/** An event that is not written yet (`event`), or a line of the file (`events` and `deleted`). */
type Line =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'events'; readonly runId: string; readonly events: readonly StoredEvent[] }
  | { readonly kind: 'deleted'; readonly runId: string };

/** What memory holds about a run in the file. */
interface Entry {
  /** The lines with the run's events, in order. */
  readonly positions: LinePosition[];
  count: number;
  /** Sequence number of the last event. */
  lastSeq: number;
  /** The run, folded from its events. `null` after the run is over. */
  run: Run | null;
  /** The cached summary. `null`: the run is in progress or has new events, so the summary is computed when it is needed. */
  summary: RunSummary | null;
}

export interface FileRunStore extends RunStore {
  /** Adds whole runs with one write. If a run is already stored, only its new events are added. */
  addRuns(runs: readonly (readonly StoredEvent[])[]): Promise<void>;
  close(): Promise<void>;
}

/** How the lines of a file of runs start. */
const STARTS = ['{"events":', '{"deleted":'];

/**
 * Opens the file and reads it. Leaves out damaged lines. Of a run that a damaged line belongs to, only the events before it are
 * left, as after a crash. Throws a `FaultError` or `UsageError` if the file can't be used.
 * @param report called with a sentence about the damaged lines
 */
export async function openRunFiles(path: string, report: (sentence: string) => void): Promise<FileRunStore> {
  const { file, entries, cut } = await readRuns(await AppendFile.open(path, STARTS), report);
  const store = new RunFiles(file, entries);
  for (const runId of cut) {
    // Writes the remaining events again, so that new events follow them.
    const events = await store.read(runId);
    await store.delete(runId);
    await store.addRuns([events]);
  }
  return store;
}

/**
 * Opens a file only for reading. Another process may write to the file meanwhile. Leaves out damaged lines and the runs that they
 * belong to. Throws like `openRunFiles`.
 */
export async function openRunFilesToRead(
  path: string,
  report: (sentence: string) => void,
): Promise<Pick<FileRunStore, 'read' | 'readMany' | 'summaries' | 'close'>> {
  const { file, entries, cut } = await readRuns(await AppendFile.openToRead(path), report);
  for (const runId of cut) entries.delete(runId);
  return new RunFiles(file, entries);
}

/** `cut` has the ids of the runs in `entries` that a damaged line belongs to. */
async function readRuns(file: AppendFile, report: (sentence: string) => void) {
  const entries = new Map<string, Entry>();
  const damaged: number[] = [];
  const cut = new Set<string>();
  let number = 0;
  try {
    for await (const { text, position } of file.lines()) {
      number += 1;
      const line = readLine(text);
      if (!line) damaged.push(number);
      else if (line.kind === 'deleted') {
        entries.delete(line.runId);
        cut.delete(line.runId);
      } else if (damaged.length > 0 && !follows(entries.get(line.runId), line)) cut.add(line.runId);
      else if (!cut.has(line.runId)) note(entries, line, position);
    }
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  if (damaged.length > 0) report(damageWords(file.path, damaged));
  return { file, entries, cut: [...cut].filter((runId) => entries.has(runId)) };
}

/** Whether a line continues the run, or starts it. If not, lines before it are missing. */
function follows(entry: Entry | undefined, { events }: Extract<Line, { kind: 'events' }>): boolean {
  const [first] = events;
  return entry ? first?.seq === entry.lastSeq + 1 : first?.type === 'run-started';
}

class RunFiles implements FileRunStore {
  readonly #file: AppendFile;
  readonly #entries: Map<string, Entry>;
  readonly #queue = new AppendQueue<Line>((lines) => this.#write(lines));
  #writes = 0;
  /**
   * The sorted summaries of all runs, cached because each call of `summaries` needs them. Outdated if
   * `writes` differs from `#writes`.
   */
  #sorted: { readonly summaries: readonly RunSummary[]; readonly writes: number } | null = null;

  constructor(file: AppendFile, entries: Map<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  append(event: RunEvent): Promise<void> {
    return this.#queue.add({ kind: 'event', event });
  }

  async addRuns(runs: readonly (readonly StoredEvent[])[]): Promise<void> {
    await this.#queue.settle();
    await Promise.all(
      runs.map(async (all) => {
        const [first] = all;
        if (!first) return;
        const events = all.slice(this.#entries.get(first.runId)?.count ?? 0);
        if (events.length > 0) await this.#queue.add({ kind: 'events', runId: first.runId, events });
      }),
    );
  }

  /** Writes the lines in one append. Consecutive events of one run share a line. */
  async #write(lines: readonly Line[]): Promise<ReadonlyMap<Line, Error>> {
    const written: Exclude<Line, { kind: 'event' }>[] = [];
    for (const line of lines) {
      const last = written.at(-1);
      if (line.kind !== 'event') written.push(line);
      else if (last?.kind === 'events' && last.runId === line.event.runId) {
        written[written.length - 1] = { ...last, events: [...last.events, line.event] };
      } else written.push({ kind: 'events', runId: line.event.runId, events: [line.event] });
    }
    const isDurable = lines.some((line) => line.kind !== 'event' || isStrict(line.event));
    const positions = await this.#file.append(written.map(lineText), isDurable);
    for (const [index, line] of written.entries()) {
      const position = positions[index];
      if (line.kind === 'deleted') this.#entries.delete(line.runId);
      else if (position) note(this.#entries, line, position);
    }
    this.#writes += 1;
    return new Map();
  }

  async read(runId: string): Promise<readonly StoredEvent[]> {
    await this.#queue.settle();
    const events: StoredEvent[] = [];
    for (const position of this.#entries.get(runId)?.positions ?? []) {
      const line = readLine(await this.#file.read(position));
      if (line?.kind === 'events') events.push(...line.events);
    }
    return shrinkDeltas(events);
  }

  readMany(runIds: readonly string[]): Promise<readonly (readonly StoredEvent[])[]> {
    return Promise.all(runIds.map((runId) => this.read(runId)));
  }

  async summary(runId: string): Promise<RunSummary | null> {
    await this.#queue.settle();
    const entry = this.#entries.get(runId);
    if (!entry) return null;
    if (entry.summary) return entry.summary;
    const run = entry.run ?? foldEvents(await this.read(runId));
    const summary = run && summarize(run);
    if (!entry.run) entry.summary = summary;
    return summary;
  }

  async summaries({ limit, after = null }: { limit: number; after?: string | null }) {
    const all = await this.#all();
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const summaries = all.slice(from, from + limit);
    return { summaries, next: from + limit < all.length ? (summaries.at(-1)?.id ?? null) : null };
  }

  async unfinished(): Promise<readonly RunSummary[]> {
    return (await this.#all()).filter(({ status }) => status === 'running');
  }

  /** The summaries of all runs, newest first. */
  async #all(): Promise<readonly RunSummary[]> {
    await this.#queue.settle();
    const writes = this.#writes;
    if (this.#sorted?.writes === writes) return this.#sorted.summaries;
    const all: RunSummary[] = [];
    for (const runId of [...this.#entries.keys()]) {
      const summary = await this.summary(runId);
      if (summary) all.push(summary);
    }
    const summaries = all.toSorted((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? 1 : -1));
    this.#sorted = { summaries, writes };
    return summaries;
  }

  async count(): Promise<number> {
    await this.#queue.settle();
    return this.#entries.size;
  }

  async delete(runId: string): Promise<void> {
    await this.#queue.settle();
    if (this.#entries.has(runId)) await this.#queue.add({ kind: 'deleted', runId });
  }

  async deleteAll(): Promise<void> {
    await this.#queue.settle();
    for (const runId of [...this.#entries.keys()]) await this.delete(runId);
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  async close(): Promise<void> {
    await this.#queue.settle();
    await this.#file.close();
  }
}

/** Records where a line's events are in the file. When the run is over, drops the folded run, because it contains all texts. */
function note(
  entries: Map<string, Entry>,
  { runId, events }: Extract<Line, { kind: 'events' }>,
  position: LinePosition,
): void {
  const entry: Entry = entries.get(runId) ?? { positions: [], count: 0, lastSeq: 0, run: null, summary: null };
  const isFolded = entry.run !== null || entry.count === 0;
  entry.positions.push(position);
  entry.count += events.length;
  entry.lastSeq = events.at(-1)?.seq ?? entry.lastSeq;
  entry.run = isFolded ? applyEvents(entry.run, events) : null;
  entry.summary = null;
  if (entry.run && isOver(entry.run.status)) {
    entry.summary = summarize(entry.run);
    entry.run = null;
  }
  entries.set(runId, entry);
}

function lineText(line: Exclude<Line, { kind: 'event' }>): string {
  return JSON.stringify(line.kind === 'deleted' ? { deleted: line.runId } : { events: line.events });
}

/** Returns `null` if the line is damaged. */
function readLine(text: string): Exclude<Line, { kind: 'event' }> | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  if (typeof value.deleted === 'string') return { kind: 'deleted', runId: value.deleted };
  if (!Array.isArray(value.events)) return null;
  const events: StoredEvent[] = [];
  for (const each of value.events) {
    const parsed = parseStoredEvent(each);
    if (!parsed.ok) return null;
    events.push(parsed.event);
  }
  const [first] = events;
  return first && events.every(({ runId }) => runId === first.runId)
    ? { kind: 'events', runId: first.runId, events }
    : null;
}
