/**
 * @file Stores runs in IndexedDB. `core/runs` ensures that only the tab with a run's lock appends
 * to the run. Therefore this tab's cached state of a run stays valid while the tab holds the lock.
 */
import {
  isStrict,
  fault,
  FaultError,
  loadOnce,
  type Clock,
  type ImageStore,
  type RunEvent,
  type RunStore,
  type RunSummary,
  type StoredEvent,
} from '../../core/contract';
import * as part from '../../core/contract/storage/schema-parts';
import { AppendQueue } from './append-queue';
import { INDEX_STORES, RUN_STORES, type Database, type RunTransaction } from './database';
import type { AddedAs, AddOptions } from './add-runs';
import { readImage, releaseAllImages } from './images';
import type { QuestionForgetter } from './forget-question';
import type { OpenRun } from './open-run';
import { chunksOf, readRun, type CheckedRun } from './read-run';
import { appendEvents, deleteRun, summaryKey } from './write-runs';

export interface IndexedRunStore extends RunStore {
  /** Like `read`, but also lists the events that could not be read. */
  readChecked(runId: string): Promise<CheckedRun>;
  /**
   * Adds whole runs in one transaction, for imports. Each list contains the events of one run in
   * order, starting with `run-started`. If a run may already be stored, the caller must hold the
   * run's lock.
   * @returns the outcome for each run
   */
  addRuns(runs: readonly (readonly StoredEvent[])[], options?: AddOptions): Promise<readonly AddedAs[]>;
  /** Reads an image that a run refers to. Returns `null` if the image is not stored. */
  image: ImageStore['get'];
  /** Estimated size of each run's events on disk, in bytes. Excludes images and shared texts. */
  sizes(runIds: readonly string[]): Promise<readonly number[]>;
}

export function createRunStore(database: Database, clock: Pick<Clock, 'now'> = Date): IndexedRunStore {
  /** Maps the id of each run in progress in this tab to the run's state on disk. */
  let open = new Map<string, OpenRun>();

  const queue = new AppendQueue<RunEvent>(async (events) => {
    const ids = new Set(events.map(({ runId }) => runId));
    const durability = events.some(isStrict) ? 'strict' : 'relaxed';
    const known = open;
    try {
      const written = await write((transaction) => appendEvents(transaction, known, events), durability);
      for (const id of ids) open.delete(id);
      for (const [id, run] of written.open) open.set(id, run);
      return written.refused;
    } catch (thrown) {
      for (const id of ids) open.delete(id);
      throw thrown;
    }
  });

  function write<Result>(
    work: (transaction: RunTransaction<'readwrite'>) => Promise<Result>,
    durability?: IDBTransactionDurability,
  ): Promise<Result> {
    return database.transact(RUN_STORES, 'readwrite', work, durability);
  }

  /** Reads after all pending appends are written or have failed. */
  async function read<Result>(work: (transaction: RunTransaction<'readonly'>) => Promise<Result>): Promise<Result> {
    await queue.settle();
    return database.transact(RUN_STORES, 'readonly', work);
  }

  const readChecked = async (runId: string): Promise<CheckedRun> => {
    const { events, problems } = await read((transaction) => readRun(transaction, runId));
    return { events, problems };
  };

  const summary = (runId: string) =>
    read(async (transaction) => (await transaction.objectStore('summaries').index('id').get(runId)) ?? null);

  /** The question in a run's first event. Falls back to the question in the run's summary. */
  async function questionOf(runId: string, known?: RunSummary | null): Promise<string | null> {
    const [started] = await read((transaction) => readWhatIsThere(transaction, runId));
    const question = part.question.safeParse(started?.type === 'run-started' ? started.question : null);
    return question.success ? question.data.text : ((known ?? (await summary(runId)))?.question ?? null);
  }

  /** `null` until a run is first deleted while embeddings are stored. */
  let forgetter: QuestionForgetter | null = null;
  const loadForgetter = loadOnce(async () => {
    const { createQuestionForgetter } = await import('./forget-question');
    return (forgetter = createQuestionForgetter(database, questionOf));
  }, 'the code that deletes runs');

  /** Deletes the embedding of a run's question, unless another run has the same question. */
  async function forgetQuestionOf(runId: string): Promise<void> {
    const known = await summary(runId);
    const question = await questionOf(runId, known);
    if (question !== null) await (await loadForgetter()).forget(runId, question, known?.question ?? question);
  }

  return {
    append: (event) => queue.add(event),
    flush: () => queue.flush(),
    readChecked,
    read: async (runId) => (await readChecked(runId)).events,
    readMany: (runIds) => read((transaction) => Promise.all(runIds.map((id) => readWhatIsThere(transaction, id)))),
    summary,
    summaries: ({ limit, after = null }) =>
      read(async (transaction) => {
        const range = after === null ? null : IDBKeyRange.lowerBound(keyFromToken(after), true);
        const found = await transaction.objectStore('summaries').getAll(range, limit + 1);
        const summaries = found.slice(0, limit);
        const last = summaries.at(-1);
        return { summaries, next: last && found.length > limit ? tokenOf(last) : null };
      }),
    unfinished: () => read((transaction) => transaction.objectStore('summaries').index('status').getAll('running')),
    count: () => read(async (transaction) => (await transaction.objectStore('counts').get('runs')) ?? 0),
    async delete(runId) {
      await queue.settle();
      open.delete(runId);
      // If no embeddings are stored, there is none to delete, so the run is not read.
      if (await hasQuestionVectors(database)) await forgetQuestionOf(runId);
      await write((transaction) => deleteRun(transaction, runId, clock));
    },
    async deleteAll() {
      await queue.settle();
      // Deletes the embeddings of the questions first, so that no run is deleted if this step fails.
      await forgetAllQuestions(database);
      open = new Map();
      forgetter?.clear();
      await database.transact([...RUN_STORES, ...INDEX_STORES], 'readwrite', async (transaction) => {
        const cleared = [...RUN_STORES, ...INDEX_STORES].filter((name) => name !== 'images');
        await Promise.all(cleared.map((name) => transaction.objectStore(name).clear()));
        await releaseAllImages(transaction.objectStore('images'), clock);
      });
    },
    sizes: (runIds) =>
      read((transaction) =>
        Promise.all(
          runIds.map(async (id) => {
            const records = await transaction.objectStore('chunks').getAll(chunksOf(id));
            return records.reduce((sum, values) => sum + JSON.stringify(values).length, 0);
          }),
        ),
      ),
    image: (hash) => readImage(database, hash),
    async addRuns(runs, options = {}) {
      if (runs.some(([first]) => first?.type !== 'run-started')) {
        throw new FaultError(fault('internal', 'Couldn’t add the run. Its beginning is missing.'));
      }
      const { addRuns, lostImages } = await loadAddRuns();
      await queue.settle();
      for (const [first] of runs) if (first) open.delete(first.runId);
      const carried = options.images ?? [];
      const lost = await lostImages(
        database,
        carried.map(({ hash }) => hash),
      );
      return write((transaction) => addRuns(transaction, runs, options, lost));
    },
  };
}

/** Lazy-loads the code that adds whole runs, to keep the first page small. */
const loadAddRuns = loadOnce(() => import('./add-runs'), 'the code that imports runs');

async function readWhatIsThere(
  transaction: RunTransaction<'readonly'>,
  runId: string,
): Promise<readonly StoredEvent[]> {
  try {
    return (await readRun(transaction, runId)).events;
  } catch (thrown) {
    // `readRun` throws a `FaultError` for a run that a newer version of Podium wrote. Any other
    // error makes the whole transaction fail.
    if (thrown instanceof FaultError) return [];
    throw thrown;
  }
}

function tokenOf({ id, startedAt }: RunSummary): string {
  return `${startedAt}:${id}`;
}

function keyFromToken(token: string): [number, string] {
  const colon = token.indexOf(':');
  return summaryKey({ startedAt: Number(token.slice(0, colon)), id: token.slice(colon + 1) });
}

/** Whether any embeddings are stored. They exist only if the user has used a sentence model. */
function hasQuestionVectors(database: Database): Promise<boolean> {
  return database.transact(['vectors'], 'readonly', async (transaction) => {
    return (await transaction.objectStore('vectors').count()) > 0;
  });
}

function forgetAllQuestions(database: Database): Promise<void> {
  return database.transact(['vectors'], 'readwrite', (transaction) => transaction.objectStore('vectors').clear());
}
