/**
 * @file Loads the datasets of a batch's plan into memory: the practice set, and the files that the user gives.
 * A file is matched to the dataset that has the same revision (a digest of the tasks).
 */
import {
  FaultError,
  type BatchDataset,
  type BatchPlan,
  type Dataset,
  type DatasetImporter,
  type DatasetMap,
  type DatasetStore,
  type DatasetTable,
  type EvaluationTask,
  type TableOpener,
  parseJson,
  type FieldMap,
} from '../../core/contract';
import { createDatasetImporter } from '../../core/evaluation/datasets/importer';
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import { tryReferences } from '../../core/evaluation/datasets/try-references';
import { systemClock } from '../../platform/clock';
import { createTableDesk } from '../../platform/datasets/table-worker/table-desk';
import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';
import { printable } from '../printable';
import { createTableFiles } from './table-files';
import { TableThread } from './table-thread';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { fieldMapSchema } from '../../core/contract/evaluation/dataset-map-schema';

interface Loaded {
  readonly dataset: Dataset;
  readonly tasks: ReadonlyMap<string, EvaluationTask>;
}

/** The files of `--data` and the assignments of columns from `--map`. */
export interface PlanData {
  readonly paths: readonly string[];
  readonly maps: readonly DatasetMap[];
  /** Whether to continue although most references of a dataset are not graded as right. */
  readonly isAccepted: boolean;
  /** Opens the files. */
  readonly tables: TableOpener<string>;
  /** Shows a warning. */
  readonly warn: (sentence: string) => void;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
}

/** Reads the options `--data`, `--map` and `--accept-references`. Throws a `UsageError` if a file of `--map` is invalid. */
export async function readPlanData({ line, terminal }: Pick<CommandContext, 'line' | 'terminal'>): Promise<PlanData> {
  return {
    paths: line.all('data'),
    maps: await Promise.all(line.all('map').map(readMapFile)),
    isAccepted: line.has('accept-references'),
    tables: tableFiles(terminal.tables),
    signal: terminal.interrupted,
    warn: (sentence) => terminal.error(`${printable(sentence)}\n`),
  };
}

/**
 * Imports the files and finds every dataset of the plan. Throws a `UsageError` if a dataset is missing or has a different
 * revision, if a file can't be imported, or if most references of a dataset are not graded as right.
 */
export async function loadPlanDatasets(plan: BatchPlan, data: PlanData): Promise<DatasetStore> {
  const files = await Promise.all(data.paths.map((path) => openFile(path, data)));
  const byId = new Map<string, Loaded>();
  const store = withPractice(storeOf(byId));
  for (const wanted of plan.datasets) {
    const practice = await store.get(wanted.id);
    if (practice?.source.kind === 'practice') {
      if (practice.revision === wanted.revision) continue;
      const message = `The plan was made with another practice set. Use the version of Podium that exported the plan.`;
      throw new UsageError(message);
    }
    const found = await findDataset(wanted, files, data.maps);
    await checkReferences(wanted, found, data);
    byId.set(wanted.id, found);
  }
  return store;
}

/** Tries the assignments of columns on the files until a file has the tasks of the plan. */
async function findDataset(
  wanted: BatchDataset,
  files: readonly OpenFile[],
  given: readonly DatasetMap[],
): Promise<Loaded> {
  let problem: string | null = null;
  for (const { path, importer, table, load } of files) {
    const maps = [...(wanted.map ? [wanted.map] : []), ...given, defaultMap(importer, table)];
    const distinct = new Map(maps.map((map) => [JSON.stringify(map), map]));
    for (const map of distinct.values()) {
      const check = importer.check(table, map);
      if (!check.ok) {
        problem ??= `${path}: ${check.problem}`;
        continue;
      }
      const loaded = await load(map);
      if (loaded.dataset.revision === wanted.revision) return loaded;
    }
  }
  throw new UsageError(missingSentence(wanted, files, problem));
}

function missingSentence({ name }: BatchDataset, files: readonly OpenFile[], problem: string | null): string {
  if (files.length === 0) return `The plan needs the dataset “${name}”. Give its file with --data.`;
  const paths = files.map(({ path }) => path).join(', ');
  const reason = problem === null ? '' : ` ${problem}`;
  return `The dataset “${name}” of the plan has a different revision from ${paths}. A file has changed, or the plan was exported by an older version of Podium, which stored no columns. Then give the columns with --map.${reason}`;
}

/** Grades the references of the plan's tasks, as the page does before an import. */
async function checkReferences(
  { name, taskIds }: BatchDataset,
  { tasks }: Loaded,
  { isAccepted, signal, warn }: PlanData,
): Promise<void> {
  const planned = taskIds.flatMap((id) => tasks.get(id) ?? []);
  // The sandbox is not started yet. Before the run of a programming task, `podium eval` runs its solution.
  const { tried, failed } = await tryReferences(planned, undefined, signal);
  const [first] = failed;
  if (!first) return;
  const sentence = `The dataset “${name}”: ${failed.length} of ${tried} references can’t grade an answer as right. Task ${first.taskId}: ${first.message}`;
  if (!isAccepted && failed.length > tried / 2) {
    throw new UsageError(`${sentence} Correct the columns, or continue with --accept-references.`);
  }
  warn(sentence);
}

interface OpenFile {
  readonly path: string;
  readonly importer: DatasetImporter<string>;
  readonly table: DatasetTable;
  /** Imports the file with an assignment of columns. Throws a `UsageError` if this fails. */
  readonly load: (map: DatasetMap) => Promise<Loaded>;
}

const NO_BATCHES = { list: () => Promise.resolve([]) };

/** Opens a file. Throws a `UsageError` if this fails. */
async function openFile(path: string, { tables, signal }: Pick<PlanData, 'tables' | 'signal'>): Promise<OpenFile> {
  let tasks = new Map<string, EvaluationTask>();
  const store: Pick<DatasetStore, 'add' | 'get' | 'list'> = {
    get: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
    async add(all, finish) {
      for await (const task of all) tasks.set(task.id, task);
      return finish();
    },
  };
  const importer = createDatasetImporter({ store, batches: NO_BATCHES, clock: systemClock, tables });
  const table = await orUsageError(path, () => importer.openFile(path, signal));
  const load = (map: DatasetMap) =>
    orUsageError(path, async () => {
      tasks = new Map();
      for await (const event of importer.import(table, map, { name: path, isConfirmed: true }, signal)) {
        if (event.kind === 'finished') return { dataset: event.dataset, tasks };
      }
      throw new UsageError(`${path} has no rows that can be imported.`);
    });
  return { path, importer, table, load };
}

/** The columns that the page uses by default. */
function defaultMap(importer: DatasetImporter<string>, table: DatasetTable): DatasetMap {
  return table.recognized === null
    ? { kind: 'columns', map: importer.suggest(table) }
    : { kind: 'known', set: table.recognized };
}

async function orUsageError<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof FaultError) throw new UsageError(`${path}: ${thrown.fault.message}`);
    throw thrown;
  }
}

/** @param script `Terminal.tables` */
function tableFiles(script: string | undefined): TableOpener<string> {
  const createWorker = () => {
    if (script === undefined) throw new Error('The thread that decodes tables is missing.');
    return new TableThread(script);
  };
  return createTableFiles(createTableDesk({ clock: systemClock, createWorker }));
}

function storeOf(byId: ReadonlyMap<string, Loaded>): DatasetStore {
  const refuse = () => Promise.reject(new Error('The datasets of a plan don’t change.'));
  return {
    list: () => Promise.resolve([...byId.values()].map(({ dataset }) => dataset)),
    get: (id) => Promise.resolve(byId.get(id)?.dataset ?? null),
    outline: (id) =>
      Promise.resolve(
        [...(byId.get(id)?.tasks.values() ?? [])].map(({ id: taskId, group }) => ({
          id: taskId,
          ...(group === undefined ? {} : { group }),
        })),
      ),
    tasks: (id, ids) => Promise.resolve(ids.flatMap((taskId) => byId.get(id)?.tasks.get(taskId) ?? [])),
    add: refuse,
    remove: refuse,
  };
}

// Reads the files of `--map`: which column of a table has the question, which has the reference, and so on.

/** The values of fields that a file may leave out. */
const DEFAULTS = {
  domain: 'knowledge',
  reference: null,
  id: null,
  group: null,
  choices: null,
  tests: null,
  solution: null,
  isConfidential: false,
} as const satisfies Omit<FieldMap, 'grader' | 'question'>;

/** Throws a `UsageError` if the file can’t be read or has a wrong field. */
export async function readMapFile(path: string): Promise<DatasetMap> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    throw new UsageError(`Couldn’t read the columns from ${path}. ${thrown instanceof Error ? thrown.message : ''}`);
  }
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} is not a JSON object of columns. The documentation has an example.`);
  }
  const { question, ...fields } = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find(
    (name) => !(name in DEFAULTS) && name !== 'grader' && name !== 'referencePart',
  );
  if (unknown !== undefined) throw new UsageError(`${path} has an unknown field “${unknown}”.`);
  const parsed = z.safeParse(fieldMapSchema, { ...DEFAULTS, ...fields, question: questionMap(question) });
  if (parsed.success) return { kind: 'columns', map: parsed.data };
  const [issue] = parsed.error.issues;
  throw new UsageError(`The field “${issue?.path.join('.') ?? ''}” in ${path} is missing or has a wrong value.`);
}

/** A text is the name of a column, or a template if it has double braces. */
function questionMap(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.includes('{{') ? { kind: 'template', text: value } : { kind: 'column', column: value };
}
