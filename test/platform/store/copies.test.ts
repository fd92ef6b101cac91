import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { foldEvents, SETTING_DEFAULTS, type StoredEvent } from '../../../src/core/contract';
import { parseRun } from '../../../src/core/contract/storage/schema';
import { createDatabase } from '../../../src/platform/store/database';
import { createRunStore } from '../../../src/platform/store/run-store';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const NOW = 1_770_000_000_000;
const HERE: readonly StoredEvent[] = stampEvents(finishedRunBodies(), { runId: 'run-1' });
const THERE = HERE.map((event) => (event.type === 'run-started' ? { ...event, seed: 99 } : event));
let counter = 0;

function browser() {
  const name = `copies-${++counter}`;
  const database = createDatabase({ name });
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  const store = createRunStore(database);
  const addCopies = async (...runs: readonly (readonly StoredEvent[])[]) => store.addRuns(runs, { importedAt: NOW });
  const ids = async () => (await store.summaries({ limit: 99 })).summaries.map(({ id }) => id).toSorted();
  return { database, store, addCopies, ids };
}

/** Returns a longer copy, with one or more grades after the run's end. */
function grown(events: readonly StoredEvent[], bodies = 1): readonly StoredEvent[] {
  const last = events.at(-1);
  if (!last) throw new Error('A run is needed.');
  const graded = stampEvents(
    Array.from({ length: bodies }, () => ({ type: 'run-graded', correct: true, by: 'person', detail: '' }) as const),
    { runId: last.runId },
  );
  const { segment, elapsed } = last;
  return [
    ...events,
    ...graded.map((event, index) => ({
      ...event,
      segment,
      elapsed,
      seq: last.seq + 1 + index,
      at: last.at + 1 + index,
    })),
  ];
}

describe('a run that an older version of Podium stored without some settings', () => {
  it('is read with default settings, and counts as already stored when the same run is imported', async () => {
    const { store, addCopies } = browser();
    const older = HERE.map((event) => {
      if (event.type !== 'run-started') return event;
      return Object.fromEntries(Object.entries(event).filter(([field]) => !(field in SETTING_DEFAULTS)));
    });
    const { runId, at } = HERE[0] ?? { runId: '', at: 0 };
    const [start] = older;
    const stored: StoredEvent[] = [
      { type: 'run-started', runId, at, seq: 0, segment: 0, elapsed: 0, ...start },
      ...HERE.slice(1),
    ];
    await store.addRuns([stored]);
    expect((await store.read(runId))[0]).toMatchObject(SETTING_DEFAULTS);
    const parsed = parseRun(older);
    expect(await addCopies(parsed.ok ? parsed.events : [])).toEqual(['present']);
  });
});

/** A diverged copy has the id of a stored run, but other events. */
describe('a diverged copy', () => {
  it('is stored only once, even if it arrives again through another browser', async () => {
    const { store, addCopies, ids } = browser();
    await store.addRuns([HERE]);
    expect(await addCopies(THERE)).toEqual(['copied']);
    const other = browser();
    await other.addCopies(THERE);
    const passed = await other.store.read('run-1');
    expect(passed.at(-1)?.type).toBe('run-imported');
    expect(await addCopies(passed)).toEqual(['present']);
    expect(await addCopies(THERE)).toEqual(['present']);
    expect(await ids()).toHaveLength(2);
    expect(await store.count()).toBe(2);
  });

  it('gets the same id in every browser that imports it', async () => {
    const [one, two] = [browser(), browser()];
    for (const { store } of [one, two]) await store.addRuns([HERE]);
    await one.addCopies(THERE);
    const marked = await (async () => {
      const between = browser();
      await between.addCopies(THERE);
      return between.store.read('run-1');
    })();
    await two.addCopies(marked);
    expect(await two.ids()).toEqual(await one.ids());
  });

  it('is extended when a longer version of it is imported', async () => {
    const { store, addCopies, ids } = browser();
    await store.addRuns([HERE]);
    await addCopies(THERE);
    const before = await ids();
    expect(await addCopies(grown(THERE))).toEqual(['updated']);
    expect(await ids()).toEqual(before);
    expect(await store.count()).toBe(2);
    const copy = before.find((id) => id !== 'run-1') ?? '';
    expect(foldEvents(await store.read(copy))).toMatchObject({ seed: 99, grade: { correct: true }, importedAt: NOW });
    expect(await addCopies(THERE), 'an older copy').toEqual(['present']);
    expect(await addCopies(grown(THERE, 2), grown(THERE))).toEqual(['updated', 'present']);
    expect(await ids()).toEqual(before);
  });

  it('is stored next to another diverged copy of the same run', async () => {
    const { store, addCopies, ids } = browser();
    const third = HERE.map((event) => (event.type === 'run-started' ? { ...event, seed: 7 } : event));
    const neighbour = stampEvents(finishedRunBodies(), { runId: 'run-10' });
    await store.addRuns([HERE, neighbour]);
    expect(await addCopies(THERE, third, grown(third))).toEqual(['copied', 'copied', 'updated']);
    expect(await ids()).toHaveLength(4);
    expect(await store.count()).toBe(4);
  });
});

describe('a run with unreadable events', () => {
  async function damaged(at: number) {
    const stage = browser();
    await stage.store.addRuns([HERE]);
    await stage.database.transact(['chunks'], 'readwrite', async (transaction) => {
      const chunks = transaction.objectStore('chunks');
      for (const key of await chunks.getAllKeys()) {
        const values = (await chunks.get(key)) ?? [];
        if (key[1] <= at && at < key[1] + values.length) await chunks.put(values.with(at - key[1], { seq: 'x' }), key);
      }
    });
    expect((await stage.store.readChecked('run-1')).problems).toHaveLength(1);
    return stage;
  }

  it('is repaired by a copy that matches its readable events', async () => {
    const { store, addCopies, ids } = await damaged(4);
    expect(await addCopies(HERE)).toEqual(['updated']);
    expect(await ids()).toEqual(['run-1']);
    const { events, problems } = await store.readChecked('run-1');
    expect([events.slice(0, -1), problems]).toEqual([
      await (async () => {
        const whole = browser();
        await whole.store.addRuns([HERE]);
        return whole.store.read('run-1');
      })(),
      [],
    ]);
  });

  it('is kept apart from a copy that changes or lacks a readable event', async () => {
    const { addCopies, ids } = await damaged(4);
    expect(await addCopies(THERE)).toEqual(['copied']);
    expect(await addCopies(HERE.slice(0, 8))).toEqual(['copied']);
    expect(await ids()).toHaveLength(3);
  });
});
