/**
 * @file Runs out to and in from `*.podium.jsonl`, one line a run (see `run-file.ts`). Whatever the size of the file, only a page
 * of it is in memory.
 */
import {
  FaultError,
  NOTHING_TAKEN_IN,
  type Clock,
  type ImportProgress,
  type LineProblem,
  type Locks,
  type ProgressHeard,
  type RunStore,
} from '../../core/contract';
import { carryImages } from './carried-images';
import { BrokenFile, type FileLines } from './files';
import { FILE_LIMITS, LONGEST_LINE, refused, sizeWords } from './file-limits';
import { lineProblem } from './json-bounds';
import { isRecord, parseRunValue, runValue, VerifiedTexts, type ParsedRunValue, type WholeRun } from './run-file';
import type { IndexedRunStore } from './run-store';
import { takeInRuns } from './take-in';

/** Runs read or written at a time. */
const PAGE_RUNS = 50;
/** A page ends early once its lines are this long together, in UTF-16 units. */
const PAGE_LENGTH = 4 * 1024 * 1024;
/** A page ends after this many lines even if none of them is a run, so that problems do not pile up. */
const PAGE_LINES = 500;

/** Without `image` runs go out without their images. */
type ReadableRuns = Pick<RunStore, 'read' | 'summaries'> & Partial<Pick<IndexedRunStore, 'image'>>;

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Told of each run that could not be read and is left out, in a sentence. */
  readonly leftOut?: (message: string) => void;
  readonly heard?: ProgressHeard;
}

/**
 * Writes runs as lines, each with its line break.
 * @param ids `null` for all runs, newest first
 */
export async function* exportRuns(
  store: ReadableRuns & Pick<RunStore, 'count'>,
  ids: readonly string[] | null,
  { heard = () => {}, ...options }: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  const of = ids ? ids.length : await store.count();
  let done = 0;
  for await (const value of exportValues(store, ids, options)) {
    yield `${JSON.stringify(value)}\n`;
    done += 1;
    // There may be more by now than there were.
    heard(done, Math.max(done, of));
  }
}

/** As `exportRuns`, each run as a value. */
export async function* exportValues(
  store: ReadableRuns,
  ids: readonly string[] | null,
  { signal, leftOut = () => {} }: Omit<ExportOptions, 'heard'>,
): AsyncGenerator<ReturnType<typeof runValue>, void, undefined> {
  for await (const page of ids ? pagesOf(ids) : allIds(store)) {
    signal.throwIfAborted();
    // One after the other: with its images a run may be large.
    for (const id of page) {
      signal.throwIfAborted();
      const value = await exportRun(store, id, leftOut);
      if (value) yield value;
    }
  }
}

async function exportRun(store: ReadableRuns, id: string, leftOut: (message: string) => void) {
  try {
    const events = await store.read(id);
    return events.length === 0 ? null : runValue(events, await carryImages(events, store.image));
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    leftOut(`The run ${id} is left out. ${thrown.message}`);
    return null;
  }
}

function* pagesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += PAGE_RUNS) yield ids.slice(from, from + PAGE_RUNS);
}

async function* allIds(store: Pick<RunStore, 'summaries'>): AsyncGenerator<readonly string[]> {
  for (let after: string | null = null; ;) {
    const page = await store.summaries({ limit: PAGE_RUNS, after });
    yield page.summaries.map(({ id }) => id);
    if (page.next === null) return;
    after = page.next;
  }
}

export interface ImportDependencies {
  readonly store: Pick<IndexedRunStore, 'addRuns'>;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
}

/** A run and the line that it stands in. */
interface RunOfLine extends WholeRun {
  readonly line: number;
}

interface Page {
  readonly runs: RunOfLine[];
  readonly problems: LineProblem[];
  /** How many lines had been read at its end. */
  lines: number;
}

/**
 * Adds the runs of a file, each marked as imported. Bad lines are reported and passed over. Reports after every page, at
 * least once. Rejects with a `FaultError` if the store refuses a page, and on abort; what was reported before stays.
 */
export async function* importRuns(
  file: FileLines,
  { store, locks, clock }: ImportDependencies,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress, void, undefined> {
  let runs = NOTHING_TAKEN_IN;
  const take = async ({ lines, problems, runs: taken }: Page): Promise<ImportProgress> => {
    const sum = { ...runs };
    for (const outcome of await takeOneByOneWhereNeeded(taken)) {
      if (typeof outcome === 'string') sum[outcome] += 1;
      else problems.push(outcome);
    }
    runs = sum;
    return { read: file.read, of: file.of, lines, runs, problems };
  };
  const takeSome = (some: readonly RunOfLine[]) => takeInRuns(some, { store, locks, importedAt: clock.now() });
  /** A page is one transaction: where storage refuses it, each run is tried alone, so that one does not keep the others out. */
  const takeOneByOneWhereNeeded = async (page: readonly RunOfLine[]): Promise<(Taken | LineProblem)[]> => {
    try {
      return [...(await takeSome(page))];
    } catch (thrown) {
      if (page.length < 2 || !isOfOneRun(thrown)) throw thrown;
      const outcomes: (Taken | LineProblem)[] = [];
      for (const run of page) {
        signal.throwIfAborted();
        outcomes.push(
          await takeSome([run]).then(
            ([outcome = 'present']) => outcome,
            (why: unknown) => {
              if (!isOfOneRun(why)) throw why;
              return { line: run.line, message: 'This browser could not store the run.' };
            },
          ),
        );
      }
      // Where none could be stored, storage is what failed.
      if (outcomes.every((outcome) => typeof outcome !== 'string')) throw thrown;
      return outcomes;
    }
  };
  let writing: Promise<ImportProgress> | null = null;
  try {
    for await (const page of readPages(file.lines, signal)) {
      // A page is read while the one before it is being written.
      const before: Promise<ImportProgress> | null = writing;
      writing = null;
      if (before) yield await before;
      writing = take(page);
      // If reading fails first, that is what is reported.
      writing.catch(() => {});
    }
  } catch (thrown) {
    // The page that was being written comes all the same, so it counts.
    const last = await writing?.catch(() => null);
    if (last) yield last;
    throw thrown;
  }
  if (writing) yield await writing;
}

type Taken = Awaited<ReturnType<typeof takeInRuns>>[number];

/** Whether a failure may lie in the value of one run, rather than in storage itself. */
function isOfOneRun(thrown: unknown): boolean {
  return !(thrown instanceof FaultError) || (thrown.fault.code === 'storage-failed' && !thrown.fault.retryable);
}

async function* readPages(lines: FileLines['lines'], signal: AbortSignal): AsyncGenerator<Page, void, undefined> {
  const verified = new VerifiedTexts();
  const begin = (number: number): Page => ({ runs: [], problems: [], lines: number });
  let page = begin(0);
  let length = 0;
  let from = 0;
  let bad = 0;
  let limit: FaultError | null = null;
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      page.lines += 1;
      length += line?.length ?? 0;
      const parsed = parseLine(line, verified);
      if (parsed?.ok) page.runs.push({ ...parsed, line: page.lines });
      else if (parsed) page.problems.push({ line: page.lines, message: parsed.message });
      if (parsed && !parsed.ok && ++bad > FILE_LIMITS.badLines) {
        throw refused(`More than ${FILE_LIMITS.badLines.toLocaleString('en-US')} lines of this file cannot be read.`);
      }
      if (page.runs.length === PAGE_RUNS || length >= PAGE_LENGTH || page.lines - from === PAGE_LINES) {
        yield page;
        from = page.lines;
        length = 0;
        page = begin(page.lines);
      }
    }
  } catch (thrown) {
    if (thrown instanceof FaultError) {
      // What stands before it is good, so it comes all the same.
      limit = thrown;
    } else if (thrown instanceof BrokenFile) {
      page.lines += 1;
      page.problems.push({ line: page.lines, message: 'The file breaks off here, or cannot be read on.' });
    } else throw thrown;
  }
  if (page.lines > from || page.lines === 0) yield page;
  if (limit) throw limit;
}

/** @returns `null` for a line that holds no run and need not: an empty one, or another part of a backup */
function parseLine(line: string | null, verified: VerifiedTexts): ParsedRunValue | null {
  if (line === null)
    return { ok: false, message: `It is longer than ${sizeWords(LONGEST_LINE)}, too long to be a run.` };
  if (line.trim() === '') return null;
  const problem = lineProblem(line);
  if (problem !== null) return { ok: false, message: problem };
  const value = parseJson(line);
  if (!value) return { ok: false, message: 'It is not JSON.' };
  if (value.format === 'podium-backup') return null;
  if (typeof value.section !== 'string') return parseRunValue(value, verified);
  return value.section === 'runs' && 'value' in value ? parseRunValue(value.value, verified) : null;
}

function parseJson(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return null;
  }
}
