/**
 * @file Runs out to and in from `*.podium.jsonl`: one line a run, `{ "format": "podium-run", "version": 1, "events": […] }`.
 * Whatever the size of the file, only a page of it is in memory.
 */
import { FaultError, sha256Hex, type RunStore, type StoredEvent } from '../../core/contract';
import { parseRun } from '../../core/contract/schema';
import type { IndexedRunStore } from './run-store';
import { takeTextsOut } from './stored-events';

const FORMAT = 'podium-run';
const VERSION = 1;
/** Runs read or written at a time. */
const PAGE_RUNS = 50;
/** A page ends early once its lines are this long together, in UTF-16 units. */
const PAGE_LENGTH = 4 * 1024 * 1024;
/** A page ends after this many lines even if none of them is a run, so that problems do not pile up. */
const PAGE_LINES = 500;

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Told of each run that could not be read and is left out, in a sentence. */
  readonly leftOut?: (runId: string, message: string) => void;
}

/**
 * Writes runs as lines, each with its line break.
 * @param ids `null` for all runs, newest first
 */
export async function* exportRuns(
  store: Pick<RunStore, 'read' | 'summaries'>,
  ids: Iterable<string> | null,
  { signal, leftOut = () => {} }: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  for await (const page of ids ? pagesOf(ids) : allIds(store)) {
    signal.throwIfAborted();
    const lines = await Promise.all(page.map((id) => exportRun(store, id, leftOut)));
    for (const line of lines) if (line !== null) yield line;
  }
}

async function exportRun(
  store: Pick<RunStore, 'read'>,
  id: string,
  leftOut: (runId: string, message: string) => void,
): Promise<string | null> {
  try {
    const events = await store.read(id);
    return events.length === 0 ? null : `${JSON.stringify({ format: FORMAT, version: VERSION, events })}\n`;
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    leftOut(id, thrown.message);
    return null;
  }
}

function* pagesOf(ids: Iterable<string>): Generator<string[]> {
  const all = [...ids];
  for (let from = 0; from < all.length; from += PAGE_RUNS) yield all.slice(from, from + PAGE_RUNS);
}

async function* allIds(store: Pick<RunStore, 'summaries'>): AsyncGenerator<string[]> {
  for (let after: string | null = null; ;) {
    const page = await store.summaries({ limit: PAGE_RUNS, after });
    yield page.summaries.map(({ id }) => id);
    if (page.next === null) return;
    after = page.next;
  }
}

export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  /** Why the line was passed over, in a sentence. */
  readonly message: string;
}

/** How far an import has come. The numbers count from its start. */
export interface ImportProgress {
  readonly lines: number;
  readonly added: number;
  /** Runs left out because a run of that id is there already. */
  readonly present: number;
  /** Those found since the progress before. */
  readonly problems: readonly LineProblem[];
}

interface Page {
  readonly runs: (readonly StoredEvent[])[];
  readonly problems: LineProblem[];
  /** How many lines had been read at its end. */
  lines: number;
}

/**
 * Adds the runs of a file (see `readLines`). Bad lines are reported and passed over. Reports after every page, at least
 * once. Rejects with a `FaultError` if the store refuses a page; what was reported before stays.
 */
export async function* importRuns(
  lines: AsyncIterable<string | null> | Iterable<string | null>,
  store: Pick<IndexedRunStore, 'addRuns'>,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress, void, undefined> {
  let added = 0;
  let present = 0;
  const report = async ({ lines, problems }: Page, storing: ReturnType<IndexedRunStore['addRuns']>) => {
    for (const outcome of await storing) {
      if (outcome === 'added') added += 1;
      else present += 1;
    }
    return { lines, added, present, problems };
  };
  let writing: Promise<ImportProgress> | null = null;
  for await (const page of readPages(lines, signal)) {
    // A page is read while the one before it is being written.
    if (writing) yield await writing;
    writing = report(page, store.addRuns(page.runs));
    // If the file turns out unreadable first, that is what is reported.
    writing.catch(() => {});
  }
  if (writing) yield await writing;
}

async function* readPages(
  lines: AsyncIterable<string | null> | Iterable<string | null>,
  signal: AbortSignal,
): AsyncGenerator<Page, void, undefined> {
  const verified = new VerifiedTexts();
  const begin = (number: number): Page => ({ runs: [], problems: [], lines: number });
  let page = begin(0);
  let length = 0;
  let from = 0;
  for await (const line of lines) {
    signal.throwIfAborted();
    page.lines += 1;
    length += line?.length ?? 0;
    if (line === null) {
      page.problems.push({ line: page.lines, message: 'It is too long to be a run.' });
    } else if (line.trim() !== '') {
      const parsed = parseLine(line, verified);
      if (parsed.ok) page.runs.push(parsed.events);
      else page.problems.push({ line: page.lines, message: parsed.message });
    }
    if (page.runs.length === PAGE_RUNS || length >= PAGE_LENGTH || page.lines - from === PAGE_LINES) {
      yield page;
      from = page.lines;
      length = 0;
      page = begin(page.lines);
    }
  }
  if (page.lines > from || page.lines === 0) yield page;
}

type ParsedLine =
  { readonly ok: true; readonly events: readonly StoredEvent[] } | { readonly ok: false; readonly message: string };

function parseLine(line: string, verified: VerifiedTexts): ParsedLine {
  const refuse = (message: string): ParsedLine => ({ ok: false, message });
  const value = parseJson(line);
  if (!value) return refuse('It is not JSON.');
  const { format, version, events } = value;
  if (format !== FORMAT || typeof version !== 'number' || !Array.isArray(events))
    return refuse('It is no run saved by Podium.');
  if (version > VERSION)
    return refuse('It was saved by a newer version of Podium. Reload the page to get that version, then try again.');
  const parsed = parseRun(events);
  if (!parsed.ok) return refuse(parsed.message);
  const [problem] = parsed.problems;
  if (problem) return refuse(`Event ${problem.index + 1} of the run: ${problem.message}`);
  const inOrder = parsed.events.toSorted((one, other) => one.seq - other.seq);
  const [first] = inOrder;
  if (first?.type !== 'run-started') return refuse('The run has no beginning.');
  if (inOrder.some(({ runId }) => runId !== first.runId)) return refuse('It mixes the events of several runs.');
  if (inOrder.some(({ seq }, index) => seq === inOrder[index + 1]?.seq))
    return refuse('Two of its events have the same number.');
  if (!inOrder.every((event) => verified.check(event))) {
    return refuse('A text in it does not match its SHA-256, so the file has been changed.');
  }
  return { ok: true, events: inOrder };
}

function parseJson(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return null;
  }
}

/**
 * Texts that runs share are kept under their hash: one that lied about it would change what other runs show. Most runs of a
 * file carry the same few, which are hashed once.
 */
class VerifiedTexts {
  readonly #texts = new Map<string, string>();

  check(event: StoredEvent): boolean {
    const blobs = new Map<string, string>();
    takeTextsOut(event, blobs);
    for (const [hash, text] of blobs) {
      if (this.#texts.get(hash) === text) continue;
      if (sha256Hex(text) !== hash) return false;
      if (this.#texts.size === 100) this.#texts.clear();
      this.#texts.set(hash, text);
    }
    return true;
  }
}
