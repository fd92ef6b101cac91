/**
 * @file Loads the datasets of a batch's plan into memory: the practice set, and the files that the user gives.
 * A file is matched to the dataset that has the same revision (a digest of the tasks).
 */
import {
  FaultError,
  type BatchDataset,
  type BatchPlan,
  type Dataset,
  type DatasetStore,
  type EvaluationTask,
  type TableOpener,
} from '../../core/contract';
import { createDatasetImporter } from '../../core/evaluation/datasets';
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import { systemClock } from '../../platform/clock';
import { createTableDesk } from '../../platform/datasets/table-worker/table-desk';
import type { Terminal } from '../command';
import { UsageError } from '../exit-codes';
import { createTableFiles } from './table-files';
import { TableThread } from './table-thread';

interface Loaded {
  readonly dataset: Dataset;
  readonly tasks: ReadonlyMap<string, EvaluationTask>;
}

/**
 * Imports the files and finds every dataset of the plan. Throws a `UsageError` if a dataset is missing or has a different
 * revision, or if a file can't be imported.
 * @param paths the files of `--data`
 */
export async function loadPlanDatasets(
  plan: BatchPlan,
  paths: readonly string[],
  { tables, interrupted }: Pick<Terminal, 'tables' | 'interrupted'>,
): Promise<DatasetStore> {
  const opener = tableFiles(tables);
  const imported = await Promise.all(
    paths.map(async (path) => ({ path, ...(await importFile(path, opener, interrupted)) })),
  );
  const byId = new Map<string, Loaded>();
  const store = withPractice(storeOf(byId));
  for (const wanted of plan.datasets) {
    const practice = await store.get(wanted.id);
    if (practice?.source.kind === 'practice') {
      if (practice.revision === wanted.revision) continue;
      const message = `The plan was made with another practice set. Use the version of Podium that exported the plan.`;
      throw new UsageError(message);
    }
    const found = imported.find(({ dataset }) => dataset.revision === wanted.revision);
    if (!found) throw new UsageError(missingSentence(wanted, imported));
    byId.set(wanted.id, found);
  }
  return store;
}

function missingSentence({ name }: BatchDataset, imported: readonly { readonly path: string }[]): string {
  if (imported.length === 0) return `The plan needs the dataset “${name}”. Give its file with --data.`;
  const files = imported.map(({ path }) => path).join(', ');
  return `The dataset “${name}” of the plan has a different revision from ${files}. A file has changed, or its columns were assigned by hand in the page.`;
}

const NO_BATCHES = { list: () => Promise.resolve([]) };

/** Imports a file with the recognized or suggested columns, as the page does by default. Throws a `UsageError` if this fails. */
async function importFile(path: string, tables: TableOpener<string>, signal: AbortSignal): Promise<Loaded> {
  const tasks = new Map<string, EvaluationTask>();
  const store: Pick<DatasetStore, 'add' | 'get' | 'list'> = {
    get: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
    async add(all, finish) {
      for await (const task of all) tasks.set(task.id, task);
      return finish();
    },
  };
  const importer = createDatasetImporter({ store, batches: NO_BATCHES, clock: systemClock, tables });
  try {
    const table = await importer.openFile(path, signal);
    const map =
      table.recognized === null
        ? ({ kind: 'columns', map: importer.suggest(table) } as const)
        : ({ kind: 'known', set: table.recognized } as const);
    for await (const event of importer.import(table, map, { name: path }, signal)) {
      if (event.kind === 'finished') return { dataset: event.dataset, tasks };
    }
  } catch (thrown) {
    if (thrown instanceof FaultError) throw new UsageError(`${path}: ${thrown.fault.message}`);
    throw thrown;
  }
  throw new UsageError(`${path} has no rows that can be imported.`);
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
