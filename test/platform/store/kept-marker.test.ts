import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../../src/platform/store/database';
import { createKeptMarker, type NotePlace } from '../../../src/platform/store/kept-marker';
import { createRunStore } from '../../../src/platform/store/run-store';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const run = (runId: string) => stampEvents(finishedRunBodies(), { runId });

/** A browser whose database can be cleared without notifying the page. The page's note of the number of stored runs remains. */
function browser(name: string) {
  const notes = new Map<string, string>();
  const place: NotePlace = {
    getItem: (key) => notes.get(key) ?? null,
    setItem: (key, value) => void notes.set(key, value),
  };
  let time = 1000;
  const databases: ReturnType<typeof createDatabase>[] = [];
  /** @param failures the number of times that counting the runs fails */
  const visit = (where: () => NotePlace = () => place, failures = 0) => {
    const database = createDatabase({ name });
    databases.push(database);
    const store = createRunStore(database);
    const count = () => (failures-- > 0 ? Promise.reject(new Error('The database is busy.')) : store.count());
    return createKeptMarker({ ...store, count }, where, () => (time += 1000));
  };
  const evict = async () => {
    for (const database of databases) database.close();
    await deleteDB(name);
  };
  onTestFinished(evict);
  return { visit, evict, notes, place };
}

describe('a new run', () => {
  it('has its events stored in order even if they arrive at the same time', async () => {
    const { visit } = browser('kept-order');
    const { store } = visit();
    const events = run('run-1');
    await Promise.all(events.map((event) => store.append(event)));
    expect((await store.read('run-1')).map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
  });
});

describe('runs that disappeared', () => {
  it('are reported at the next visit, until the user dismisses the warning', async () => {
    const { visit, evict, notes } = browser('kept-missed');
    const first = visit();
    expect(await first.lost()).toBeNull();
    await first.store.addRuns([run('run-1'), run('run-2')]);
    for (const event of run('run-3')) await first.store.append(event);
    await expect.poll(() => notes.get('podium.kept')).toContain('"runs":3');
    expect(await visit().lost()).toBeNull();
    await evict();
    expect(await visit().lost()).toEqual({ runs: 3, at: expect.any(Number) as number });
    const later = visit();
    await later.store.addRuns([run('run-4')]);
    expect(await later.lost(), 'a new run does not make up for the lost ones').toMatchObject({ runs: 3 });
    expect(await visit().lost()).toMatchObject({ runs: 3 });
    await later.dismiss();
    expect(await later.lost()).toBeNull();
    expect(await visit().lost()).toBeNull();
  });

  it('are not reported if the user deleted them in this browser', async () => {
    const { visit } = browser('kept-deleted');
    const first = visit();
    await first.store.addRuns([run('run-1'), run('run-2')]);
    await first.store.delete('run-1');
    await first.store.delete('run-2');
    expect(await visit().lost()).toBeNull();
    await first.store.addRuns([run('run-1')]);
    await first.store.deleteAll();
    expect(await visit().lost()).toBeNull();
  });

  it('are reported even if the page stores a run before it checks for losses', async () => {
    const { visit, evict } = browser('kept-early');
    await visit().store.addRuns([run('run-1')]);
    await evict();
    const next = visit();
    await next.store.addRuns([run('run-2')]);
    expect(await next.lost()).toMatchObject({ runs: 1 });
  });

  it('are reported at the second check if the first check could not count the stored runs', async () => {
    const { visit, evict, place } = browser('kept-retried');
    await visit().store.addRuns([run('run-1'), run('run-2')]);
    await evict();
    const next = visit(() => place, 1);
    await expect(next.lost()).rejects.toThrow('busy');
    expect(await next.lost()).toMatchObject({ runs: 2 });
  });

  it('are reported even if a run is written before the stored runs can be counted', async () => {
    const { visit, evict, notes, place } = browser('kept-unchecked');
    await visit().store.addRuns([run('run-1'), run('run-2')]);
    await evict();
    const evidence = notes.get('podium.kept');
    const next = visit(() => place, 1);
    for (const event of run('run-3')) await next.store.append(event);
    expect(notes.get('podium.kept')).toBe(evidence);
    expect(await next.lost()).toMatchObject({ runs: 2 });
    await evict();
    const third = visit(() => place, 1);
    const before = notes.get('podium.kept');
    await third.store.addRuns([]);
    expect(notes.get('podium.kept'), 'a change keeps the note until the runs are counted').toBe(before);
  });

  it('are reported even if counting the runs fails before an import or a restore', async () => {
    const { visit, evict, place } = browser('kept-import');
    await visit().store.addRuns([run('run-1')]);
    await evict();
    const imported = visit(() => place, 1);
    await imported.store.addRuns([run('run-2'), run('run-3')]);
    expect(await imported.lost()).toMatchObject({ runs: 1 });
    await imported.dismiss();

    await evict();
    const restored = visit(() => place, 1);
    /** Stores two runs, as the Web Worker for files does. Yields the number of runs that have been added so far. */
    async function* change() {
      const database = createDatabase({ name: 'kept-import' });
      const worker = createRunStore(database);
      for (const [index, id] of ['run-4', 'run-5'].entries()) {
        await worker.addRuns([run(id)]);
        yield index + 1;
      }
      database.close();
    }
    for await (const _ of restored.around(change(), (count) => count));
    expect(await restored.lost()).toMatchObject({ runs: 2 });
  });

  it('are not wrongly reported when counting fails before runs are added', async () => {
    const { visit, place } = browser('kept-added');
    await visit().store.addRuns([run('run-1')]);
    const later = visit(() => place, 1);
    await later.store.addRuns([run('run-1'), run('run-2')]);
    expect(await later.lost()).toBeNull();
  });

  it('are not reported when the note cannot be stored or read', async () => {
    const { visit, evict, notes } = browser('kept-nowhere');
    const barred = visit(() => {
      throw new DOMException('no storage', 'SecurityError');
    });
    await barred.store.addRuns([run('run-1')]);
    expect(await barred.lost()).toBeNull();
    expect(await barred.store.count()).toBe(1);
    await evict();
    notes.set('podium.kept', '{"runs":"many"}');
    expect(await visit().lost()).toBeNull();
  });
});
