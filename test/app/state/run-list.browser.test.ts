import { describe, expect, test } from 'vitest';
import { RunList } from '../../../src/app/state/run-list.svelte';
import { fault, FaultError } from '../../../src/core/contract';
import type { MemoryStore } from '../../fixtures/memory-store';
import { conductStage } from '../pages/conduct-services';
import { newRunOf } from '../new-runs';
import { keepRun, storeOf } from '../run-summaries';
import { eventually } from '../../fixtures/eventually.ts';

function stage(store?: MemoryStore, { held = false } = {}) {
  const { services, store: kept, letGo } = conductStage({ held });
  const listeners: ((runId: string) => void)[] = [];
  const allListeners: (() => void)[] = [];
  const notices = {
    notify: () => undefined,
    listen: (listener: (runId: string) => void) => (listeners.push(listener), () => undefined),
    notifyAll: () => undefined,
    notifyPolicies: () => undefined,
    listenPolicies: () => () => undefined,
    listenAll: (listener: () => void) => (allListeners.push(listener), () => undefined),
  };
  const own = store ?? kept;
  const list = new RunList({ runs: services.runs, store: own, notices });
  return {
    list,
    services,
    store: own,
    letGo,
    notify: (runId: string) => listeners.forEach((listener) => listener(runId)),
    notifyAll: () => allListeners.forEach((listener) => listener()),
  };
}

const ids = (list: RunList) => list.shown.map(({ id }) => id);

describe('a change of all runs in another tab', () => {
  test('is shown at once', async () => {
    const { list, store, notifyAll } = stage(await storeOf(130));
    await list.load();
    await list.readMore();
    await store.delete('run-0');
    await keepRun(store, 'restored', 1_760_000_060_000);
    notifyAll();
    await eventually(() => expect(ids(list)[0]).toBe('restored'));
    expect(list.summaries.length).toBe(100);
    await list.readMore();
    expect(ids(list)).toEqual(['restored', ...Array.from({ length: 129 }, (_, index) => `run-${index + 1}`)]);
    await store.deleteAll();
    notifyAll();
    await eventually(() => expect([list.summaries.length, list.count, list.isComplete]).toEqual([0, 0, true]));
  });
});

describe('paging', () => {
  test('reads one page at a time, newest first, each run once', async () => {
    const { list } = stage(await storeOf(230));
    await list.load();
    expect(list.summaries.length).toBe(100);
    expect(list.count).toBe(230);
    expect(list.isComplete).toBe(false);
    await Promise.all([list.readMore(), list.readMore()]);
    expect(list.summaries.length).toBe(200);
    await list.readMore();
    await list.readMore();
    expect(ids(list)).toEqual(Array.from({ length: 230 }, (_, index) => `run-${index}`));
    expect(list.isComplete).toBe(true);
  });

  test('reads all runs for a search', async () => {
    const { list } = stage(await storeOf(230));
    await list.load();
    list.filter = { words: 'question 229', show: 'all' };
    expect(ids(list)).toEqual([]);
    await list.readAll();
    expect(ids(list)).toEqual(['run-229']);
  });

  test('shows a read fault, and reads again on request', async () => {
    const { list, store } = stage(await storeOf(3));
    const { summaries } = store;
    store.summaries = () => Promise.reject(new FaultError(fault('storage-failed', 'The disk cannot be read.')));
    await list.load();
    expect(list.fault?.message).toBe('The disk cannot be read.');
    store.summaries = summaries;
    await list.readMore();
    expect(list.summaries.length).toBe(3);
  });
});

describe('changes meanwhile', () => {
  test('insert, update and remove a run of another tab', async () => {
    const { list, store, notify } = stage();
    await keepRun(store, 'old', 1000);
    await keepRun(store, 'new', 9000);
    await list.load();
    await keepRun(store, 'between', 5000);
    notify('between');
    await eventually(() => expect(ids(list)).toEqual(['new', 'between', 'old']));
    expect(list.count).toBe(3);
    await store.delete('new');
    notify('new');
    await eventually(() => expect(ids(list)).toEqual(['between', 'old']));
  });

  test('leave out a run of another tab that is older than what was read', async () => {
    const { list, store, notify } = stage(await storeOf(150));
    await list.load();
    await keepRun(store, 'ancient', 1000);
    notify('ancient');
    await eventually(() => expect(list.count).toBe(151));
    expect(ids(list)).not.toContain('ancient');
    await list.readMore();
    expect(ids(list).at(-1)).toBe('ancient');
  });

  test('show when a live run has finished', async () => {
    const { list, services, letGo } = stage(undefined, { held: true });
    const live = await services.runs.start(newRunOf(services));
    await list.load();
    expect(list.shown[0]?.status).toBe('running');
    letGo();
    await live.done;
    await eventually(() => expect(list.shown[0]?.status).toBe('finished'));
  });
});

describe('actions', () => {
  test('show a grade at once', async () => {
    const { list, store } = stage();
    await keepRun(store, 'one', 1000);
    await list.load();
    await list.grade('one', false);
    expect(list.shown[0]?.correct).toBe(false);
    list.filter = { words: '', show: 'right' };
    expect(ids(list)).toEqual([]);
    list.filter = { words: '', show: 'wrong' };
    expect(ids(list)).toEqual(['one']);
  });

  test('remove a deleted run', async () => {
    const { list, store } = stage();
    await keepRun(store, 'one', 1000);
    await list.load();
    expect(await list.delete('one')).toBe(true);
    expect(ids(list)).toEqual([]);
    expect(await store.count()).toBe(0);
  });

  test('show a refusal and change nothing', async () => {
    const { list, services, letGo } = stage(undefined, { held: true });
    const live = await services.runs.start(newRunOf(services));
    await list.load();
    expect(await list.delete(live.id)).toBe(false);
    expect(list.fault?.code).toBe('run-busy');
    expect(list.busy).toEqual([]);
    expect(ids(list)).toEqual([live.id]);
    letGo();
    await live.done;
  });
});
