/**
 * @file Exports runs to `*.podium.jsonl` files and imports them. Each line of a file contains one run (see
 * `run-file.ts`). An export holds only one run in memory. An import reads the lines in pages, and holds only
 * two pages in memory.
 */
import {
  FaultError,
  isRecord,
  NOTHING_IMPORTED,
  parseJson,
  type Clock,
  type ImportProgress,
  type LineProblem,
  type Locks,
  type ProgressListener,
  type RunStore,
} from '../../core/contract';
import { carryImages } from './carried-images';
import { exportedRuns, type ExportedRunsOptions } from './exported-runs';
import { BrokenFile, type FileLines } from './files';
import { FILE_LIMITS, LONGEST_LINE, refused, sizeWords } from './file-limits';
import { lineProblem } from './json-bounds';
import { parseRunValue, runValue, VerifiedTexts, type ParsedRunValue, type WholeRun } from './run-file';
import type { IndexedRunStore } from './run-store';
import { addUnderLocks } from './add-under-locks';

/** Maximum number of runs in a page. A page is stored in one transaction. */
const PAGE_RUNS = 50;
/** A page ends early when its lines reach this total length, in UTF-16 units. */
const PAGE_LENGTH = 4 * 1024 * 1024;
/** A page ends after this many lines even if none of them is a run, so that problems are reported early. */
const PAGE_LINES = 500;

/** Without `image`, runs are exported without their images. */
type ReadableRuns = Pick<RunStore, 'read' | 'summaries'> & Partial<Pick<IndexedRunStore, 'image'>>;

export interface ExportOptions extends ExportedRunsOptions {
  readonly onprogress?: ProgressListener;
}

/**
 * Yields a line for each run, including the line break.
 * @param ids `null` for all runs, newest first
 */
export async function* exportRuns(
  store: ReadableRuns & Pick<RunStore, 'count'>,
  ids: readonly string[] | null,
  { onprogress = () => {}, ...options }: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  const of = ids ? ids.length : await store.count();
  let done = 0;
  for await (const value of exportValues(store, ids, options)) {
    yield `${JSON.stringify(value)}\n`;
    done += 1;
    // If runs were added after `of` was counted, `done` can exceed `of`.
    onprogress(done, Math.max(done, of));
  }
}

/** Like `exportRuns`, but yields each run as a value. */
export async function* exportValues(
  store: ReadableRuns,
  ids: readonly string[] | null,
  options: Omit<ExportOptions, 'onprogress'>,
): AsyncGenerator<ReturnType<typeof runValue>, void, undefined> {
  for await (const events of exportedRuns(store, ids, options)) {
    yield runValue(events, await carryImages(events, store.image));
  }
}

export interface ImportDependencies {
  readonly store: Pick<IndexedRunStore, 'addRuns'>;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
}

interface RunOfLine extends WholeRun {
  readonly line: number;
}

interface Page {
  readonly runs: RunOfLine[];
  readonly problems: LineProblem[];
  /** Number of lines of the file that were read up to the end of the page. */
  lines: number;
}

/**
 * Adds the runs of a file and marks each run as imported. Unreadable lines are reported and skipped. Yields the progress after
 * every page, at least once. Rejects on abort, and with a `FaultError` if storage fails or the file exceeds a limit. Runs that
 * were already reported stay stored.
 */
export async function* importRuns(
  file: FileLines,
  { store, locks, clock }: ImportDependencies,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress, void, undefined> {
  let runs = NOTHING_IMPORTED;
  const importPage = async ({ lines, problems, runs: pageRuns }: Page): Promise<ImportProgress> => {
    const sum = { ...runs };
    for (const outcome of await addPage(pageRuns)) {
      if (typeof outcome === 'string') sum[outcome] += 1;
      else problems.push(outcome);
    }
    runs = sum;
    return { read: file.read, of: file.of, lines, runs, problems };
  };
  const addRuns = (some: readonly RunOfLine[]) => addUnderLocks(some, { store, locks, importedAt: clock.now() });
  /**
   * Adds a page in one transaction. If this fails and a single run may be the cause, adds the runs one by one, so that the bad
   * run does not block the others.
   */
  const addPage = async (page: readonly RunOfLine[]): Promise<(RunOutcome | LineProblem)[]> => {
    try {
      return [...(await addRuns(page))];
    } catch (thrown) {
      if (page.length < 2 || !isOfOneRun(thrown)) throw thrown;
      const outcomes: (RunOutcome | LineProblem)[] = [];
      for (const run of page) {
        signal.throwIfAborted();
        outcomes.push(
          await addRuns([run]).then(
            ([outcome = 'present']) => outcome,
            (why: unknown) => {
              if (!isOfOneRun(why)) throw why;
              return { line: run.line, message: 'Couldn’t store the run in this browser.' };
            },
          ),
        );
      }
      // If no run could be stored, the storage itself failed.
      if (outcomes.every((outcome) => typeof outcome !== 'string')) throw thrown;
      return outcomes;
    }
  };
  let writing: Promise<ImportProgress> | null = null;
  try {
    for await (const page of readPages(file.lines, signal)) {
      // The next page is read while the current page is written.
      const before: Promise<ImportProgress> | null = writing;
      writing = null;
      if (before) yield await before;
      writing = importPage(page);
      // The promise may reject before it is awaited. Without a handler, the rejection would be reported as unhandled.
      writing.catch(() => {});
    }
  } catch (thrown) {
    // If reading fails while a page is being written, the progress after that page is still reported.
    const last = await writing?.catch(() => null);
    if (last) yield last;
    throw thrown;
  }
  if (writing) yield await writing;
}

type RunOutcome = Awaited<ReturnType<typeof addUnderLocks>>[number];

/** Whether one run may have caused the failure, rather than storage itself. */
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
      // The lines before the limit are intact, so they are imported.
      limit = thrown;
    } else if (thrown instanceof BrokenFile) {
      page.lines += 1;
      page.problems.push({ line: page.lines, message: 'The file ends here unexpectedly, or the rest cannot be read.' });
    } else throw thrown;
  }
  if (page.lines > from || page.lines === 0) yield page;
  if (limit) throw limit;
}

/** Parses the run of a line. @returns `null` if the line is empty, or if it contains a part of a backup that is not a run */
function parseLine(line: string | null, verified: VerifiedTexts): ParsedRunValue | null {
  if (line === null)
    return { ok: false, message: `It is longer than ${sizeWords(LONGEST_LINE)}, too long to be a run.` };
  if (line.trim() === '') return null;
  const problem = lineProblem(line);
  if (problem !== null) return { ok: false, message: problem };
  const value = parseJson(line);
  if (value === undefined) return { ok: false, message: 'It is not valid JSON.' };
  if (!isRecord(value)) return parseRunValue(value, verified);
  if (value.format === 'podium-backup') return null;
  if (typeof value.section !== 'string') return parseRunValue(value, verified);
  return value.section === 'runs' && 'value' in value ? parseRunValue(value.value, verified) : null;
}
