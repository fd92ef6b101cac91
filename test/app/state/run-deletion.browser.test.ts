import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RunDeletion, UNDO_TIME } from '../../../src/app/state/run-deletion.svelte';
import { fault, FaultError } from '../../../src/core/contract';

const KEY = 'podium.deleted-runs';

function stage({
  refused = [],
  memory,
}: { refused?: readonly string[]; memory?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> } = {}) {
  const deleted: string[] = [];
  const runs = {
    delete: (id: string) => {
      if (refused.includes(id)) return Promise.reject(new FaultError(fault('run-busy', 'This run is still running.')));
      deleted.push(id);
      return Promise.resolve();
    },
  };
  return { deleted, open: () => new RunDeletion(runs, memory) };
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a deletion', () => {
  test('hides the runs, and deletes them when the time to undo is over', async () => {
    const { deleted, open } = stage();
    const deletion = open();
    await deletion.request(['a', 'b']);
    expect([deletion.hidden, deletion.undoable]).toEqual([['a', 'b'], 2]);
    await vi.advanceTimersByTimeAsync(UNDO_TIME - 1);
    expect(deleted).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(deleted).toEqual(['a', 'b']);
    expect([deletion.hidden, deletion.undoable]).toEqual([[], 0]);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test('deletes nothing after Undo', async () => {
    const { deleted, open } = stage();
    const deletion = open();
    await deletion.request(['a']);
    deletion.undo();
    expect([deletion.hidden, deletion.undoable]).toEqual([[], 0]);
    await vi.advanceTimersByTimeAsync(2 * UNDO_TIME);
    expect(deleted).toEqual([]);
  });

  test('can be undone after a reload if the time to undo is not over', async () => {
    const { deleted, open } = stage();
    await open().request(['a']);
    vi.clearAllTimers();
    await vi.advanceTimersByTimeAsync(UNDO_TIME - 2000);
    const reloaded = open();
    await reloaded.resume();
    expect([reloaded.hidden, reloaded.undoable]).toEqual([['a'], 1]);
    reloaded.undo();
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect(deleted).toEqual([]);
  });

  test('is completed at the next visit if the page was closed before the time to undo was over', async () => {
    const { deleted, open } = stage();
    await open().request(['a']);
    vi.clearAllTimers();
    await vi.advanceTimersByTimeAsync(UNDO_TIME + 1);
    const later = open();
    await later.resume();
    expect(deleted).toEqual(['a']);
    expect([later.hidden, later.undoable]).toEqual([[], 0]);
  });

  test('is undone in every tab if it is undone in one', async () => {
    const { deleted, open } = stage();
    const one = open();
    await one.request(['a']);
    const other = open();
    await other.resume();
    other.undo();
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect(deleted).toEqual([]);
    expect(one.hidden).toEqual([]);
  });

  test('deletes its runs even if another tab requests a deletion later', async () => {
    const { deleted, open } = stage();
    await open().request(['a']);
    await vi.advanceTimersByTimeAsync(1000);
    await open().request(['b']);
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect(deleted).toEqual(['a', 'b']);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test('is not undone when another tab undoes its own deletion', async () => {
    const { deleted, open } = stage();
    const [one, other] = [open(), open()];
    await one.request(['a']);
    await other.request(['b']);
    other.undo();
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect(deleted).toEqual(['a']);
  });

  test('can be undone after a reload, together with another tab’s pending deletion', async () => {
    const { deleted, open } = stage();
    await open().request(['a']);
    await open().request(['b', 'c']);
    vi.clearAllTimers();
    const reloaded = open();
    await reloaded.resume();
    expect([reloaded.hidden, reloaded.undoable]).toEqual([['a', 'b', 'c'], 3]);
    reloaded.undo();
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect([deleted, reloaded.hidden, localStorage.getItem(KEY)]).toEqual([[], [], null]);
  });

  test('completes the previous deletion at once, even if the time to undo is not over', async () => {
    const { deleted, open } = stage();
    const deletion = open();
    await deletion.request(['a']);
    await deletion.request(['b']);
    expect(deleted).toEqual(['a']);
    expect([deletion.hidden, deletion.undoable]).toEqual([['b'], 1]);
    await vi.advanceTimersByTimeAsync(UNDO_TIME + 1);
    expect(deleted).toEqual(['a', 'b']);
  });

  test('keeps runs that cannot be deleted, gives the reason, and deletes the other runs', async () => {
    const { deleted, open } = stage({ refused: ['a'] });
    const deletion = open();
    await deletion.request(['a', 'b']);
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect(deleted).toEqual(['b']);
    expect(deletion.fault?.code).toBe('run-busy');
    expect(deletion.hidden).toEqual([]);
  });

  test('deletes the runs after the time to undo, even if localStorage is not available', async () => {
    const off = () => {
      throw new Error('Storage is off.');
    };
    const { deleted, open } = stage({ memory: { getItem: off, setItem: off, removeItem: off } });
    const deletion = open();
    await deletion.resume();
    await deletion.request(['a']);
    await vi.advanceTimersByTimeAsync(UNDO_TIME);
    expect(deleted).toEqual(['a']);
  });

  test.each(['nonsense', '{"ids":"a","until":1}', '[{"id":"d","ids":"a","until":1}]', '[]'])(
    'ignores a damaged or empty entry in localStorage: %s',
    async (text) => {
      localStorage.setItem(KEY, text);
      const { deleted, open } = stage();
      await open().resume();
      expect(deleted).toEqual([]);
    },
  );
});
