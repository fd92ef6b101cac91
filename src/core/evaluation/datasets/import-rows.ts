/** @file Imports the rows of a table as a dataset. Reports progress while it reads, checks and stores the rows. */
import {
  abortError,
  fault,
  FaultError,
  isConfidentialRow,
  isConfidentialTable,
  namesConfidentialSet,
  type Clock,
  type Dataset,
  type DatasetImportEvent,
  type DatasetMap,
  type DatasetStore,
  type EvaluationTask,
  type GraderKind,
  type RowProblem,
  type Table,
} from '../../contract';
import { datasetIdentity, type DatasetIdDependencies } from './dataset-id';
import { isConfidential, neededColumns, rowReader } from './row-reader';
import { referenceDoubts } from './try-references';
import { revisionDigest } from './describe-tasks';

export interface ImportDependencies {
  readonly store: Pick<DatasetStore, 'add' | 'get' | 'list'>;
  readonly batches: DatasetIdDependencies['batches'];
  readonly clock: Pick<Clock, 'now'>;
}

/** Maximum number of problems that are reported with a message. Further problems are only counted. */
const REPORTED_PROBLEMS = 100;

/** Ends an import whose references the user has to confirm, so that nothing is kept. */
class DoubtfulReferences extends Error {}

type Progress = Extract<DatasetImportEvent, { kind: 'progress' }>;

export async function* importRows(
  table: Table,
  map: DatasetMap,
  { name, isConfirmed = false }: { readonly name: string; readonly isConfirmed?: boolean },
  { store, batches, clock }: ImportDependencies,
  signal: AbortSignal,
): AsyncGenerator<DatasetImportEvent, void, undefined> {
  const leaving = new AbortController();
  const stopped = AbortSignal.any([signal, leaving.signal]);
  const tally = new DatasetTally(table.bytes);
  const inbox = new ProgressInbox();
  const finish = async (): Promise<Dataset> => {
    if (tally.firstDoubt && !isConfirmed) throw new DoubtfulReferences();
    const { source } = table;
    const content = {
      ...tally.content(),
      isConfidential: tally.isConfidential || isConfidentialDataset(table, map, name),
    };
    const identity = await datasetIdentity(content, { store, batches });
    return { name, source, ...content, ...identity, map, addedAt: clock.now() };
  };
  const stored = store.add(tasksOf(table, map, tally, inbox, stopped), finish, stopped).finally(() => inbox.close());
  // Prevents an "unhandled rejection" before `stored` is awaited.
  stored.catch(() => undefined);
  try {
    for (let progress = await inbox.next(); progress; progress = await inbox.next()) yield progress;
    const dataset = await stored;
    yield { kind: 'finished', dataset, skipped: tally.skipped };
  } catch (thrown) {
    const { tasks, doubtful, firstDoubt } = tally;
    if (!(thrown instanceof DoubtfulReferences) || !firstDoubt) throw thrown;
    yield { kind: 'doubtful', tasks, doubtful, first: firstDoubt };
  } finally {
    leaving.abort();
  }
}

/**
 * Whether the dataset is confidential. If the user assigned the columns, the table and the name can still show
 * that it is a published confidential dataset.
 */
function isConfidentialDataset(table: Table, map: DatasetMap, name: string): boolean {
  return isConfidential(map) || isConfidentialTable(table) || namesConfidentialSet(name);
}

async function* tasksOf(
  table: Table,
  map: DatasetMap,
  tally: DatasetTally,
  inbox: ProgressInbox,
  signal: AbortSignal,
): AsyncGenerator<EvaluationTask, void, undefined> {
  const read = rowReader(map);
  const doubtOf = referenceDoubts();
  const needed = neededColumns(
    map,
    table.columns.map((column) => column.name),
  );
  for await (const part of table.read(signal, needed)) {
    if (signal.aborted) throw abortError();
    const problems = [...part.problems];
    for (const { row, value } of part.rows) {
      tally.isConfidential ||= isConfidentialRow(value);
      const result = read(value, row);
      if (result.ok) {
        tally.add(result.task);
        const message = await doubtOf(result.task, signal);
        if (message !== null) tally.addDoubt({ row, message });
        yield result.task;
      } else {
        problems.push({ row, message: result.problem });
      }
    }
    inbox.put(tally.progress(part.read, problems));
  }
  if (tally.tasks === 0) throw new FaultError(fault('bad-request', tally.nothingFits()));
}

/** Collects the properties of a dataset while its tasks are read. */
class DatasetTally {
  tasks = 0;
  skipped = 0;
  /** Number of tasks whose reference is not graded as right, and the first of them. */
  doubtful = 0;
  firstDoubt: RowProblem | null = null;
  /** Whether any row belongs to a known confidential dataset. */
  isConfidential = false;
  readonly #bytes: number | null;
  readonly #digest = revisionDigest();
  readonly #groups = new Map<string, number>();
  readonly #graders = new Set<GraderKind>();
  #reported = 0;
  #first: RowProblem | null = null;

  constructor(bytes: number | null) {
    this.#bytes = bytes;
  }

  add(task: EvaluationTask): void {
    this.tasks += 1;
    this.#digest.add(task);
    this.#graders.add(task.grader);
    if (task.group !== undefined) this.#groups.set(task.group, (this.#groups.get(task.group) ?? 0) + 1);
  }

  addDoubt(doubt: RowProblem): void {
    this.doubtful += 1;
    this.firstDoubt ??= doubt;
  }

  progress(read: number, problems: readonly RowProblem[]): Progress {
    const reported = problems.slice(0, REPORTED_PROBLEMS - this.#reported);
    this.#reported += reported.length;
    this.skipped += problems.length;
    this.#first ??= problems[0] ?? null;
    return { kind: 'progress', read, of: this.#bytes, tasks: this.tasks, skipped: this.skipped, problems: reported };
  }

  nothingFits(): string {
    if (!this.#first) return 'The table has no rows. Choose another file.';
    const { row, message } = this.#first;
    return `No row could be imported. Change the columns. Row ${row}: ${message}`;
  }

  content(): Pick<Dataset, 'revision' | 'tasks' | 'groups' | 'graders'> {
    return {
      revision: this.#digest.finish(),
      tasks: this.tasks,
      groups: [...this.#groups].map(([group, tasks]) => ({ group, tasks })),
      graders: [...this.#graders],
    };
  }
}

/**
 * Passes progress from the code that reads the rows to the code that reports the progress. Newer progress replaces
 * progress that was not collected yet, so that reading never waits. The newer progress also contains the earlier
 * problems, so no problem is lost.
 */
class ProgressInbox {
  #latest: Progress | null = null;
  #isClosed = false;
  #wake: () => void = () => undefined;

  put(progress: Progress): void {
    const problems = [...(this.#latest?.problems ?? []), ...progress.problems];
    this.#latest = { ...progress, problems };
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Waits for progress and collects it. `null`: the inbox is closed, and all progress was collected. */
  async next(): Promise<Progress | null> {
    while (!this.#latest && !this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve));
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }
}
