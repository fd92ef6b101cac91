/**
 * @file The sections of a backup. Every object store must belong to a section, or be in `LEFT_OUT` with a reason. A test
 * enforces this rule.
 */
import * as z from 'zod/mini';
import {
  isMoment,
  isRecord,
  isReservedWorkerId,
  isWebAddress,
  unitKey,
  withoutTexts,
  type Locks,
} from '../../../core/contract';
import { batchBoundsProblem, batchSchema } from '../../../core/contract/evaluation/batch-schema';
import { outcomeSchema } from '../../../core/contract/evaluation/outcome-schema';
import { parseMeasurementEvent } from '../../../core/contract/measurement/measurement-schema';
import { keptPolicySchema } from '../../../core/contract/model/kept-policy-schema';
import { manifestSchema } from '../../../core/contract/model/manifest-schema';
import { parseConnection, parseWorkerSetup, parsePreferences } from '../../../core/contract/storage/setup-schema';
import { createBatchStore } from '../batches';
import { openConfidentialityCheck } from '../confidential-runs';
import { INDEX_STORES, type Database, type StoreName } from '../database';
import { keysUnder } from '../pages';
import type { IndexedRunStore } from '../run-store';
import { daySpent } from '../spending';
import { datasetSections } from './dataset-sections';
import { recordsSection } from './records';
import { runsSection } from './runs-section';
import type { BackupSection } from './section';
import { vaultSection } from './vault-section';
import { admitSettings } from '../../../core/contract/storage/restored-settings';
import { isSame } from '../compare-runs';

/** Object stores that backups leave out, each with the reason. */
export const LEFT_OUT: Partial<Record<StoreName, string>> = {
  folders: 'Handles to folders on this machine’s disk, which cannot be written to a file.',
  holds: 'Money reserved for calls in progress, which only the browser that makes them can settle.',
  ...Object.fromEntries(INDEX_STORES.map((name) => [name, 'The index of runs, which is built again from the runs.'])),
  unindexed: 'The list of runs that are not indexed yet. Restored runs are added to it.',
  searches: 'Searches for lessons, which hold texts of tasks. The lessons that were found are in the pool.',
  modelLists: 'Lists of models, which the providers return again.',
  stagings: 'Imports of datasets in progress, which only the browser that makes them can finish.',
  vectors: 'Embeddings of questions, which the sentence model computes again.',
};

/** Name of the section of API keys. A backup contains this section only if the user requested it. */
export const KEYS = 'vault';

/**
 * All sections in the order in which they are written and restored. The runs come last. Sections have state,
 * so create new ones for each backup and each restore.
 * @param importedAt the time of the import, ms since the epoch. If set, restored runs and batches are marked
 * as imported
 */
export function backupSections(
  database: Database,
  store: IndexedRunStore,
  { locks, importedAt }: { readonly locks: Locks; readonly importedAt: number | null },
): readonly BackupSection[] {
  // The ids of confidential batches. Read once, before the restore replaces or deletes any batch.
  let secret: Promise<ReadonlySet<string>> | null = null;
  const secretBatches = () => (secret ??= confidentialBatches(database));
  return [
    recordsSection(database, {
      name: 'preferences',
      one: 'set of settings',
      many: 'sets of settings',
      store: 'preferences',
      keyOf: (value) => (isRecord(value) ? { key: 'preferences' } : { message: 'The settings are damaged.' }),
      admit: admitPreferences,
    }),
    recordsSection(database, {
      name: 'connections',
      one: 'connection',
      many: 'connections',
      store: 'connections',
      keyOf(value) {
        const connection = parseConnection(value);
        if (!connection) return { message: 'This version of Podium can’t read the connection.' };
        return isWebAddress(connection.baseUrl)
          ? { key: connection.id }
          : { message: 'Its address is not a web address.' };
      },
      admit: admitWorker,
    }),
    recordsSection(database, {
      name: 'workers',
      one: 'worker',
      many: 'workers',
      store: 'setups',
      keyOf(value) {
        const setup = parseWorkerSetup(value);
        if (!setup) return { message: 'This version of Podium can’t read the worker.' };
        if (!isWebAddress(setup.baseUrl)) return { message: 'Its address is not a web address.' };
        if (isReservedWorkerId(setup.id)) return { message: 'Its id belongs to a built-in worker.' };
        const problem = pricedProblem(value);
        return problem === null ? { key: setup.id } : { message: problem };
      },
      admit: admitWorker,
    }),
    recordsSection(database, {
      name: 'models',
      one: 'model of your own',
      many: 'models of your own',
      store: 'models',
      keyOf(value) {
        const parsed = z.safeParse(manifestSchema, value);
        if (!parsed.success) return { message: 'This version of Podium can’t read the model.' };
        const { id, licence } = parsed.data;
        return licence === null || isWebAddress(licence.url)
          ? { key: id }
          : { message: 'The address of its licence is not a web address.' };
      },
    }),
    recordsSection(database, {
      name: 'policies',
      one: 'trained policy',
      many: 'trained policies',
      store: 'policies',
      keyOf(value) {
        const parsed = z.safeParse(keptPolicySchema, value);
        return parsed.success ? { key: parsed.data.id } : { message: 'This version of Podium can’t read the policy.' };
      },
    }),
    recordsSection(database, {
      name: 'spending',
      one: 'spending record',
      many: 'spending records',
      store: 'spending',
      // An older file must not reduce the recorded spending, because that would free up today's budget.
      keepsExisting: true,
      keyOf(value) {
        const parsed = z.safeParse(daySpent, value);
        if (parsed.success) return { key: [parsed.data.day, parsed.data.workerId] };
        return { message: 'This version of Podium can’t read the amount.' };
      },
    }),
    vaultSection(database),
    ...datasetSections(database),
    recordsSection(database, {
      name: 'batches',
      one: 'batch',
      many: 'batches',
      store: 'batches',
      boundsOf: batchBoundsProblem,
      // No page shows the results of a deleted batch, so the results are deleted with it.
      outcomesOf: keysUnder,
      secrets: async () => {
        const ids = await secretBatches();
        return (id) => ids.has(id);
      },
      ...(importedAt === null ? {} : { admit: admitBatch }),
      keyOf(value) {
        const parsed = z.safeParse(batchSchema, value);
        return parsed.success ? { key: parsed.data.id } : { message: 'This version of Podium can’t read the batch.' };
      },
    }),
    recordsSection(database, {
      name: 'outcomes',
      one: 'result of a batch',
      many: 'results of batches',
      store: 'outcomes',
      cleaner: () => outcomeCleaner(database),
      usedBy: 'batches',
      secrets: async () => {
        const ids = await secretBatches();
        return ([batchId]) => ids.has(batchId);
      },
      ...(importedAt === null ? {} : { mayAdmit: () => outsideOwnBatches(database) }),
      keyOf(value) {
        const parsed = z.safeParse(outcomeSchema, value);
        return parsed.success
          ? { key: [parsed.data.batchId, unitKey(parsed.data)] }
          : { message: 'This version of Podium can’t read the result.' };
      },
    }),
    recordsSection(database, {
      name: 'measurements',
      one: 'event of a measurement',
      many: 'events of measurements',
      store: 'measurements',
      keyOf(value) {
        const event = parseMeasurementEvent(value);
        if (event) return { key: [event.id, event.seq] };
        return { message: 'This version of Podium can’t read the event.' };
      },
    }),
    runsSection(store, locks, { importedAt, confidentiality: () => openConfidentialityCheck(database, store) }),
  ];
}

const pricedShape = z.object({
  priced: z.optional(
    z.object({
      date: z.string().check(z.refine((date) => isMoment(Date.parse(date)))),
      source: z.optional(z.string().check(z.refine(isWebAddress))),
    }),
  ),
});

/**
 * Rejects a price from a file if its date or its source's address is invalid. A price that is already stored
 * is not rejected, but shown without its invalid fields.
 */
function pricedProblem(value: unknown): string | null {
  return z.safeParse(pricedShape, value).success
    ? null
    : 'Its price has no date, or the address of its source is not a web address.';
}

/** The ids of the stored batches with a confidential dataset. */
async function confidentialBatches(database: Database): Promise<ReadonlySet<string>> {
  const batches = await createBatchStore(database).list();
  return new Set(
    batches.flatMap(({ id, plan }) => (plan.datasets.some(({ isConfidential }) => isConfidential) ? [id] : [])),
  );
}

/**
 * Creates a function that returns `false` for results of the user's own batches. Someone else's backup must not add results to
 * these batches.
 */
async function outsideOwnBatches(
  database: Database,
): Promise<(key: readonly [batchId: string, unit: string]) => boolean> {
  const batches = await createBatchStore(database).list();
  const own = new Set(batches.flatMap(({ id, isImported }) => (isImported ? [] : [id])));
  return ([batchId]) => !own.has(batchId);
}

/**
 * Creates a function that removes texts from the results of confidential datasets, because these texts may quote a task. The
 * function returns `null` for an unreadable result.
 */
async function outcomeCleaner(database: Database): Promise<(value: unknown) => unknown> {
  const batches = new Map((await createBatchStore(database).list()).map(({ id, plan }) => [id, plan.datasets]));
  return (value) => {
    const parsed = z.safeParse(outcomeSchema, value);
    if (!parsed.success) return null;
    const { batchId, dataset } = parsed.data;
    return batches.get(batchId)?.[dataset]?.isConfidential ? withoutTexts(parsed.data) : value;
  };
}

// Protects the user from harmful backups. Restored workers are not called until the user confirms them, because a worker
// from someone else could redirect questions and keys. Settings that would send more data or spend more money also wait for
// confirmation. Batches from someone else's backup can be viewed, but not continued.

/**
 * Marks a worker or a connection from a backup as unconfirmed. If the stored one (`here`) is equal to it apart from this
 * mark, returns the stored one instead. Backups of older versions have workers without connections.
 */
function admitWorker(value: unknown, here: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof here === 'object' && here !== null) {
    const connection = 'connection' in value ? {} : { connection: undefined };
    if (isSame(unmarked(value), { ...unmarked(here), ...connection })) return here;
  }
  return { ...value, unconfirmed: true };
}

function admitPreferences(value: unknown, here: unknown): unknown {
  const now = parsePreferences(here);
  const admitted = admitSettings(parsePreferences(value), now);
  return here !== undefined && isSame(now, admitted) ? here : admitted;
}

/**
 * Marks a batch from someone else's backup as imported. If the stored batch (`here`) is identical, returns the stored batch.
 */
function admitBatch(value: unknown, here: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return here !== undefined && isSame(value, here) ? here : { ...value, isImported: true };
}

function unmarked(setup: object): object {
  return { ...setup, unconfirmed: undefined };
}
