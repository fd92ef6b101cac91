import { afterEach, describe, expect, it, vi } from 'vitest';
import { NOTHING_IMPORTED, type RunEvent, type ImportCounts } from '../../../src/core/contract';
import { createDatabase, type Database } from '../../../src/platform/store/database';
import { createImageStore } from '../../../src/platform/store/image-store';
import { createRunStore, type IndexedRunStore } from '../../../src/platform/store/run-store';
import { exportRuns, importRuns } from '../../../src/platform/store/transfer';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { imageFile, questionFile } from '../../fixtures/memory-images';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { isMarked } from '../../fixtures/only-marked';

const SHARED = imageFile('shared');
const OWN = imageFile('own', { type: 'image/jpeg' });
const open: string[] = [];
const NOW = 1_770_000_000_000;
const time = { now: () => NOW };
const DAY = 24 * 60 * 60 * 1000;
let number = 0;

/**
 * @param clock the clock of the run store. By default, it is more than a day ahead of the clock of `images`, so that
 * no unsent question protects an image.
 */
function fresh(clock = { now: () => NOW + DAY + 1 }) {
  const name = `images-${Date.now()}-${number++}`;
  open.push(name);
  const database: Database = createDatabase({ name });
  return { database, store: createRunStore(database, clock), images: createImageStore(database, time) };
}

afterEach(() => {
  for (const name of open.splice(0)) indexedDB.deleteDatabase(name);
});

function eventsOf(runId: string, images: readonly (typeof SHARED)[]): RunEvent[] {
  const references = images.map(({ hash, type, width, height, size }) => ({ hash, type, width, height, size }));
  const question = { text: 'What is this?', images: references };
  const [, ...rest] = finishedRunBodies();
  return stampEvents([runStarted({ question }), ...rest], { runId });
}

async function lines(stage: ReturnType<typeof fresh>): Promise<string[]> {
  const written: string[] = [];
  const { signal } = new AbortController();
  for await (const line of exportRuns(stage.store, null, { signal, isConfidential: isMarked })) written.push(line);
  return written;
}

const locks = new MemoryLocks().tab();
const clock = { now: () => 1_770_000_000_000 };

async function importProblems(written: readonly string[], store: IndexedRunStore): Promise<string[]> {
  return (await imported(written, store)).problems;
}

async function importCounts(written: readonly string[], store: IndexedRunStore): Promise<Partial<ImportCounts>> {
  const { runs } = await imported(written, store);
  return Object.fromEntries(Object.entries(runs).filter(([, value]) => value > 0));
}

async function imported(written: readonly string[], store: IndexedRunStore) {
  async function* listed() {
    yield* written;
  }
  const file = { lines: listed(), read: 0, of: 0 };
  const problems: string[] = [];
  const reports = importRuns(file, { store, locks, clock }, new AbortController().signal);
  let runs = NOTHING_IMPORTED;
  for await (const report of reports) {
    problems.push(...report.problems.map(({ message }) => message));
    runs = report.runs;
  }
  return { problems, runs };
}

/** Deletes an image to which runs still refer. */
function lose(database: Database, hash: string): Promise<void> {
  return database.transact(['images'], 'readwrite', (transaction) => transaction.objectStore('images').delete(hash));
}

describe('images of questions', () => {
  it('are returned unchanged, even if they were stored twice', async () => {
    const { images } = fresh();
    await images.put(OWN);
    await images.put(OWN);
    expect(await images.get(OWN.hash)).toEqual({ type: 'image/jpeg', bytes: OWN.bytes });
    expect(await images.get(SHARED.hash)).toBeNull();
  });

  it('are deleted with the last run that refers to them', async () => {
    const { store, images } = fresh();
    await images.put(SHARED);
    await images.put(OWN);
    for (const event of eventsOf('first', [SHARED, OWN])) await store.append(event);
    for (const event of eventsOf('second', [SHARED])) await store.append(event);
    await store.delete('first');
    expect(await images.get(OWN.hash)).toBeNull();
    expect(await images.get(SHARED.hash)).not.toBeNull();
    await store.delete('second');
    expect(await images.get(SHARED.hash)).toBeNull();
  });

  it('are deleted when all runs are deleted', async () => {
    const { store, images } = fresh();
    await images.put(OWN);
    await store.deleteAll();
    expect(await images.get(OWN.hash)).toBeNull();
  });

  it('are kept while an unsent question may use them, even if all runs with them are deleted', async () => {
    const { store, images } = fresh(time);
    await images.put(OWN);
    for (const event of eventsOf('first', [OWN])) await store.append(event);
    await images.put(OWN);
    await store.delete('first');
    expect(await images.get(OWN.hash)).not.toBeNull();
    for (const event of eventsOf('second', [OWN])) await store.append(event);
    await store.deleteAll();
    expect(await images.get(OWN.hash)).not.toBeNull();
    await images.drop(OWN.hash);
    expect(await images.get(OWN.hash)).toBeNull();
  });

  it('are deleted with their last run if they were already removed from the unsent question', async () => {
    const { store, images } = fresh(time);
    await images.put(OWN);
    for (const event of eventsOf('first', [OWN])) await store.append(event);
    await images.drop(OWN.hash);
    expect(await images.get(OWN.hash)).not.toBeNull();
    await store.delete('first');
    expect(await images.get(OWN.hash)).toBeNull();
  });

  it('are kept for a day after being attached again, even if their run is deleted', async () => {
    const { database, store, images } = fresh();
    await images.put(OWN);
    for (const event of eventsOf('first', [OWN])) await store.append(event);
    await createImageStore(database, { now: () => NOW + DAY }).put(OWN);
    await store.delete('first');
    expect(await images.get(OWN.hash)).not.toBeNull();
    await createImageStore(database, { now: () => NOW + 3 * DAY }).clearOut([]);
    expect(await images.get(OWN.hash)).toBeNull();
  });

  it('are exported and imported with their runs', async () => {
    const from = fresh();
    await from.images.put(SHARED);
    await from.images.put(OWN);
    for (const event of eventsOf('first', [SHARED, OWN])) await from.store.append(event);
    for (const event of eventsOf('second', [SHARED])) await from.store.append(event);
    const to = fresh();
    expect(await importProblems(await lines(from), to.store)).toEqual([]);
    expect(await to.images.get(OWN.hash)).toEqual({ type: 'image/jpeg', bytes: OWN.bytes });
    await to.store.delete('first');
    expect(await to.images.get(OWN.hash)).toBeNull();
    expect(await to.images.get(SHARED.hash)).not.toBeNull();
    expect(await lines(to)).toHaveLength(1);
  });

  it('are rejected together with their run if they were changed in the file', async () => {
    const from = fresh();
    await from.images.put(OWN);
    for (const event of eventsOf('first', [OWN])) await from.store.append(event);
    const [line = ''] = await lines(from);
    const changed = line.replace(btoa('own'), btoa('odd'));
    expect(changed).not.toBe(line);
    const to = fresh();
    expect(await importProblems([changed], to.store)).toEqual([expect.stringContaining('SHA-256')]);
    expect(await to.store.count()).toBe(0);
    expect(await to.images.get(OWN.hash)).toBeNull();
  });

  it('do not prevent the export and import of their run if they are missing', async () => {
    const from = fresh();
    for (const event of eventsOf('first', [OWN])) await from.store.append(event);
    const to = fresh();
    expect(await importProblems(await lines(from), to.store)).toEqual([]);
    const events = (await to.store.read('first')).filter(({ type }) => type !== 'run-imported');
    expect(events).toEqual(await from.store.read('first'));
  });

  describe('lost images of a stored run', () => {
    it('are restored from a file that has them, and belong to the run again', async () => {
      const { database, store, images } = fresh();
      await images.put(SHARED);
      await images.put(OWN);
      for (const event of eventsOf('first', [SHARED, OWN])) await store.append(event);
      for (const event of eventsOf('second', [SHARED])) await store.append(event);
      const whole = await lines({ database, store, images });
      expect(await importCounts(whole, store)).toEqual({ present: 2 });
      await lose(database, OWN.hash);
      expect(await importCounts(await lines({ database, store, images }), store), 'a file without them').toEqual({
        present: 2,
      });
      expect(await importCounts(whole, store)).toEqual({ repaired: 1, present: 1 });
      expect(await images.get(OWN.hash)).toEqual({ type: 'image/jpeg', bytes: OWN.bytes });
      expect(await importCounts(whole, store)).toEqual({ present: 2 });
      await store.delete('first');
      expect(await images.get(OWN.hash)).toBeNull();
      expect(await images.get(SHARED.hash)).not.toBeNull();
    });

    it('are restored even if the run was imported without them', async () => {
      const from = fresh();
      for (const event of eventsOf('first', [OWN])) await from.store.append(event);
      const bare = await lines(from);
      await from.images.put(OWN);
      const to = fresh();
      expect(await importCounts(bare, to.store)).toEqual({ added: 1 });
      expect(await importCounts(await lines(from), to.store)).toEqual({ repaired: 1 });
      expect(await to.images.get(OWN.hash)).not.toBeNull();
    });

    it('are restored from a diverged copy of the run (same id, other events), and stay when this copy is deleted', async () => {
      const { database, store, images } = fresh();
      await images.put(OWN);
      const events = eventsOf('first', [OWN]);
      for (const event of events) await store.append(event);
      const other = fresh();
      await other.images.put(OWN);
      const away = events.slice(0, -1);
      const last = events.at(-1);
      if (!last) throw new Error('The run has no events.');
      const { runId, seq, at, segment, elapsed } = last;
      for (const event of away) await other.store.append(event);
      await other.store.append({ type: 'run-cancelled', runId, seq, at, segment, elapsed });
      await lose(database, OWN.hash);
      expect(await importCounts(await lines(other), store)).toEqual({ copied: 1 });
      const { summaries } = await store.summaries({ limit: 10 });
      const copy = summaries.find(({ id }) => id !== 'first');
      if (!copy) throw new Error('There is no copy.');
      await store.delete(copy.id);
      expect(await images.get(OWN.hash), 'the first run still needs the image').not.toBeNull();
    });

    it('are written again if their records exist but the data can’t be read', async () => {
      const { database, store, images } = fresh();
      await images.put(OWN);
      for (const event of eventsOf('first', [OWN])) await store.append(event);
      const whole = await lines({ database, store, images });
      const unreadable = vi
        .spyOn(Blob.prototype, 'arrayBuffer')
        .mockRejectedValue(new DOMException('The file is gone.', 'NotFoundError'));
      try {
        expect(await importCounts(whole, store)).toEqual({ repaired: 1 });
      } finally {
        unreadable.mockRestore();
      }
      expect(await images.get(OWN.hash)).toEqual({ type: 'image/jpeg', bytes: OWN.bytes });
      await store.delete('first');
      expect(await images.get(OWN.hash)).toBeNull();
    });
  });

  it('are deleted after a day without a run, unless they are attached to the question on the page', async () => {
    let now = NOW;
    const { database, store } = fresh({ now: () => now });
    const images = createImageStore(database, { now: () => now });
    const [requested, attached, again, old] = ['asked', 'attached', 'again', 'old'].map((name) => imageFile(name));
    if (!requested || !attached || !again || !old) throw new Error('Four images are needed.');
    for (const image of [requested, attached, again, old]) await images.put(image);
    for (const event of eventsOf('first', [requested])) await store.append(event);
    const left = async () => {
      const all = await Promise.all([requested, attached, again, old].map(({ hash }) => images.get(hash)));
      return all.map((image) => image !== null);
    };
    now += 60 * 60 * 1000;
    await images.clearOut([]);
    expect(await left(), 'another tab may be writing a question with them').toEqual([true, true, true, true]);
    now += 23.5 * 60 * 60 * 1000;
    await images.put(again);
    await images.clearOut([attached.hash]);
    expect(await left()).toEqual([true, true, true, false]);
    await store.delete('first');
    expect(await left()).toEqual([false, true, true, false]);
  });

  it('are deleted at once when removed from a question, unless a run refers to them', async () => {
    const { store, images } = fresh();
    await images.put(SHARED);
    await images.put(OWN);
    for (const event of eventsOf('first', [SHARED])) await store.append(event);
    await images.drop(SHARED.hash);
    await images.drop(OWN.hash);
    await images.drop('nowhere');
    expect(await images.get(SHARED.hash)).not.toBeNull();
    expect(await images.get(OWN.hash)).toBeNull();
  });
});

describe('files of questions', () => {
  const NOTES = questionFile('Ada is 36.');
  const TABLE = questionFile('name,age', { name: 'people.csv', kind: 'CSV', part: 'lines 1–9 of 20' });

  function runWith(runId: string, files: readonly (typeof NOTES)[]): RunEvent[] {
    const [, ...rest] = finishedRunBodies();
    return stampEvents([runStarted({ question: { text: 'Who?', files } }), ...rest], { runId });
  }

  async function add(store: IndexedRunStore, events: readonly RunEvent[]): Promise<void> {
    for (const event of events) await store.append(event);
  }

  /** All texts in the stored records of a database. */
  function stored(database: Database): Promise<string> {
    return database.transact(['chunks', 'blobs', 'images'], 'readonly', async (transaction) => {
      const all = await Promise.all(
        (['chunks', 'blobs', 'images'] as const).map((name) => transaction.objectStore(name).getAll()),
      );
      return JSON.stringify(all);
    });
  }

  it('are read back with their texts, which are stored once', async () => {
    const { database, store } = fresh();
    const [first, second] = [runWith('first', [NOTES, TABLE]), runWith('second', [NOTES])];
    await add(store, first);
    await add(store, second);
    for (const [id, [started]] of [['first', first] as const, ['second', second] as const]) {
      const { events, problems } = await store.readChecked(id);
      expect([events[0], problems]).toEqual([started, []]);
    }
    expect((await stored(database)).split(NOTES.text)).toHaveLength(2);
  });

  it('lose their texts with the last run that refers to them', async () => {
    const { database, store, images } = fresh();
    await images.putText(TABLE);
    await add(store, runWith('first', [NOTES, TABLE]));
    await add(store, runWith('second', [NOTES]));
    await store.delete('first');
    expect(await stored(database)).not.toContain(TABLE.text);
    expect(await images.getText(NOTES.hash)).toBe(NOTES.text);
    await store.delete('second');
    expect(await stored(database)).not.toContain(NOTES.text);
  });

  it('keep the text of an unsent question until the user removes it', async () => {
    const { store, images } = fresh(time);
    await images.putText(NOTES);
    await images.clearOut([]);
    await add(store, runWith('first', [NOTES]));
    await images.drop(NOTES.hash);
    expect(await images.getText(NOTES.hash)).toBe(NOTES.text);
    await store.delete('first');
    expect(await images.getText(NOTES.hash)).toBeNull();
  });

  it('are complete in an exported run, and an import checks their hashes', async () => {
    const from = fresh();
    await add(from.store, runWith('first', [NOTES, TABLE]));
    const written = await lines(from);
    const to = fresh();
    expect(await importCounts(written, to.store)).toEqual({ added: 1 });
    const [started] = (await to.store.readChecked('first')).events;
    expect(started).toMatchObject({ question: { files: [NOTES, TABLE] } });
    const changed = written.map((line) => line.replace(NOTES.text, 'Ada is 63.').replaceAll('"first"', '"second"'));
    expect(await importProblems(changed, to.store)).toEqual([
      expect.stringContaining('A text of the run does not match its SHA-256.'),
    ]);
  });

  it('are reported as lost if their text is gone, and the rest of the run stays readable', async () => {
    const { database, store } = fresh();
    await add(store, runWith('first', [NOTES]));
    await lose(database, NOTES.hash);
    const { events, problems } = await store.readChecked('first');
    expect(events[0]).toMatchObject({ question: { files: [{ ...NOTES, text: '' }] } });
    expect(problems).toHaveLength(1);
  });
});
