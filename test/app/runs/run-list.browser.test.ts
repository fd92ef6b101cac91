import { afterEach, describe, expect, test, vi } from 'vitest';
import { RunList } from '../../../src/app/runs/run-list.svelte';
import { ALL_RUNS, fault, FaultError, NEWEST_FIRST, type RunIndex, type RunQuery } from '../../../src/core/contract';
import type { MemoryStore } from '../../fixtures/memory-store';
import { conductStage } from '../conduct/conduct-services';
import { newRunOf } from '../new-runs';
import { MemoryIndex } from '../memory-index';
import { keepRun, storeOf } from '../run-summaries';
import { eventually } from '../../fixtures/eventually.ts';
import { inEffects } from '../in-effects.svelte';

const ALL: RunQuery = { filter: ALL_RUNS, sort: NEWEST_FIRST };
let close: () => void = () => undefined;
afterEach(() => {
  vi.useRealTimers();
  close();
});

function stage(options: { store?: MemoryStore; held?: boolean } = {}) {
  const all = conductStage(options);
  const index = new MemoryIndex(all.store, all.otherTab);
  const services = { ...all.services, runIndex: () => Promise.resolve(index) };
  const { value: own, setInput: query, dispose } = inEffects(ALL, (read) => new RunList(services, read));
  close = dispose;
  const ids = () => Array.from({ length: own.length }, (_, row) => own.row(row)?.id ?? null);
  return { ...all, index, list: own, query, ids };
}

describe('the list of runs', () => {
  test('reads only the pages of rows that come into view', async () => {
    const { list, index } = stage({ store: await storeOf(1000) });
    await eventually(() => expect(list.length).toBe(1000));
    expect(list.row(0)?.id).toBe('run-0');
    expect(list.row(720)).toBeNull();
    list.show(690, 730);
    await eventually(() => expect(list.row(720)?.id).toBe('run-720'));
    expect(list.row(650)?.id).toBe('run-650');
    expect(index.queries.filter((query) => query.startsWith('rows'))).toEqual([
      'rows 0 100',
      'rows 600 100',
      'rows 700 100',
    ]);
  });

  test('shows the runs found so far, and reads again until all texts are searched', async () => {
    const { list, index, query } = stage({ store: await storeOf(30) });
    await eventually(() => expect(list.length).toBe(30));
    const totals = index.totals.bind(index);
    let release: (unsearched: number) => void = () => undefined;
    const early: RunIndex['totals'] = async (filter, signal, options) => {
      const found = await totals({ ...filter, words: '' }, signal);
      if (filter.words === '' || options?.early !== true) return found;
      const unsearched = await new Promise<number>((resolve) => (release = resolve));
      return { ...found, runs: found.runs - unsearched, unsearched };
    };
    Object.assign(index, { totals: early });
    query({ ...ALL, filter: { ...ALL_RUNS, words: '"some phrase"' } });
    for (const unsearched of [20, 10, 0]) {
      await eventually(() => {
        release(unsearched);
        expect(list.length).toBe(30 - unsearched);
      });
    }
  });

  test('is read again 120 ms after a change, or 1 s if more than 500 runs are not indexed', async () => {
    const { list, index } = stage({ store: await storeOf(30) });
    await eventually(() => expect(list.facets).not.toBeNull());
    vi.useFakeTimers();
    for (const [indexed, delay] of [
      [30, 1000],
      [600, 120],
    ] as const) {
      index.progress = { indexed, of: 1000 };
      const before = index.queries.length;
      list.refresh();
      list.refresh();
      vi.advanceTimersByTime(delay - 1);
      expect(index.queries).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(index.queries.length).toBeGreaterThan(before);
    }
  });

  test('shows the result of the newest query, even if an older query is answered later', async () => {
    const { list, index, query, ids } = stage({ store: await storeOf(30) });
    await eventually(() => expect(list.length).toBe(30));
    const { totals } = index;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let isSlowAnswered = false;
    index.totals = async (filter, signal) => {
      if (filter.words === 'slow') {
        await gate;
        isSlowAnswered = true;
      }
      return totals.call(index, { ...filter, words: filter.words === 'slow' ? '' : filter.words }, signal);
    };
    query({ ...ALL, filter: { ...ALL_RUNS, words: 'slow' } });
    query({ ...ALL, filter: { ...ALL_RUNS, words: 'question 29' } });
    await eventually(() => expect(ids()).toEqual(['run-29']));
    release();
    await eventually(() => expect(isSlowAnswered).toBe(true));
    // Lets the list receive the late answer.
    await new Promise((resolve) => setTimeout(resolve));
    expect(ids()).toEqual(['run-29']);
  });

  test('updates when runs are added, graded and deleted', async () => {
    const { list, store, services, index, ids } = stage();
    await eventually(() => expect(list.totals?.runs).toBe(0));
    await keepRun(store, 'old', 1000);
    await keepRun(store, 'new', 9000);
    index.changed();
    await eventually(() => expect(ids()).toEqual(['new', 'old']));
    await services.runs.grade('old', false);
    await eventually(() => expect(list.row(1)?.correct).toBe(false));
    await services.runs.delete('new');
    await eventually(() => expect(ids()).toEqual(['old']));
    expect(list.totals?.wrong).toBe(1);
  });

  test('shows a change made in this tab before the change is indexed', async () => {
    const { list, store, services, index } = stage();
    await keepRun(store, 'one', 1000);
    index.changed();
    await eventually(() => expect(list.length).toBe(1));
    index.changed = () => undefined;
    list.put(await services.runs.annotate('one', { title: 'Mine' }));
    expect(list.row(0)?.title).toBe('Mine');
  });

  test('leaves out runs with a pending deletion, and rereads only the rows in view', async () => {
    const { list, query, ids } = stage({ store: await storeOf(500) });
    await eventually(() => expect(list.length).toBe(500));
    list.show(300, 340);
    await eventually(() => expect(list.row(320)?.id).toBe('run-320'));
    query({ ...ALL, filter: { ...ALL_RUNS, without: ['run-320'] } });
    await eventually(() => expect(list.length).toBe(499));
    expect(list.row(320)?.id).toBe('run-321');
    expect(list.all?.runs).toBe(499);
    expect(ids()[0]).toBeNull();
  });

  test('shows when a live run has finished', async () => {
    const { list, services, release, index } = stage({ held: true });
    const live = await services.runs.start(newRunOf(services));
    index.changed();
    await eventually(() => expect(list.row(0)?.status).toBe('running'));
    release();
    await live.done;
    index.changed();
    await eventually(() => expect(list.row(0)?.status).toBe('finished'));
  });

  test('shows a storage error, and reads again when retry() is called', async () => {
    const { list, index } = stage({ store: await storeOf(3) });
    const { totals } = index;
    await eventually(() => expect(list.length).toBe(3));
    index.totals = () => Promise.reject(new FaultError(fault('storage-failed', 'The disk cannot be read.')));
    index.changed();
    await eventually(() => expect(list.fault?.message).toBe('The disk cannot be read.'));
    index.totals = totals;
    list.retry();
    await eventually(() => expect(list.fault).toBeNull());
    expect(list.length).toBe(3);
  });
});
