import { describe, expect, test } from 'vitest';
import { InterruptedRun } from '../../../src/app/state/interrupted-run.svelte';
import { MemoryStore } from '../../fixtures/memory-store';
import { runStarted, stampEvents } from '../../fixtures/run-events';

const unsubscribe = () => undefined;

async function stage(...runs: readonly { id: string; isInterrupted: boolean }[]) {
  const store = new MemoryStore();
  const append = (id: string, at: number, ...bodies: Parameters<typeof stampEvents>[0]) =>
    Promise.all(stampEvents(bodies, { runId: id, at }).map((event) => store.append(event)));
  for (const [index, { id, isInterrupted }] of runs.entries())
    await append(id, index, runStarted(), ...(isInterrupted ? [{ type: 'run-interrupted' } as const] : []));
  let marked: (runId: string) => void = () => undefined;
  let noticed: (runId: string) => void = () => undefined;
  const interrupted = new InterruptedRun({
    store,
    runs: {
      recover: () => Promise.resolve([]),
      listen: (listener) => {
        marked = listener;
        return unsubscribe;
      },
    },
    notices: {
      listen: (listener) => {
        noticed = listener;
        return unsubscribe;
      },
      listenAll: () => unsubscribe,
    },
  });
  /** Marks a run as interrupted, as if its page had closed. */
  const interrupt = async (id: string) => {
    const [first] = await store.read(id);
    if (first) await store.append({ type: 'run-interrupted', runId: id, seq: 1, at: first.at, segment: 0, elapsed: 0 });
    marked(id);
  };
  /** Resumes a run, as if in another tab. */
  const resume = async (id: string) => {
    const [first] = await store.read(id);
    const resumed = { type: 'run-resumed', runId: id, seq: 2, at: first?.at ?? 0, segment: 1, elapsed: 0 } as const;
    await store.append(resumed);
    noticed(id);
  };
  return { interrupted, interrupt, resume, store };
}

describe('the offer to resume', () => {
  test('is for the newest interrupted run when the page opens', async () => {
    const { interrupted } = await stage(
      { id: 'old', isInterrupted: true },
      { id: 'new', isInterrupted: true },
      { id: 'running', isInterrupted: false },
    );
    await interrupted.load();
    expect(interrupted.summary?.id).toBe('new');
  });

  test('is for a run whose page closes while the stored runs are loading', async () => {
    const { interrupted, interrupt, store } = await stage(
      { id: 'old', isInterrupted: true },
      { id: 'reloaded', isInterrupted: false },
    );
    const read = store.summaries.bind(store);
    store.summaries = async (options) => {
      const page = await read(options);
      await interrupt('reloaded');
      await expect.poll(() => interrupted.summary?.id).toBe('reloaded');
      return page;
    };
    await interrupted.load();
    expect(interrupted.summary?.id).toBe('reloaded');
  });

  test('is withdrawn if another tab resumes the run, even while the stored runs are loading', async () => {
    for (const when of ['later', 'meanwhile']) {
      const { interrupted, resume, store } = await stage({ id: 'reloaded', isInterrupted: true });
      const read = store.summaries.bind(store);
      store.summaries = async (options) => {
        const page = await read(options);
        if (when === 'meanwhile') await resume('reloaded');
        return page;
      };
      await interrupted.load();
      if (when === 'later') {
        expect(interrupted.summary?.id).toBe('reloaded');
        await resume('reloaded');
      }
      await expect.poll(() => interrupted.summary, { timeout: 5_000 }).toBeNull();
    }
  });

  test('changes to a run whose page closes after loading, and disappears when that run is resumed', async () => {
    const { interrupted, interrupt } = await stage(
      { id: 'old', isInterrupted: true },
      { id: 'reloaded', isInterrupted: false },
    );
    await interrupted.load();
    expect(interrupted.summary?.id).toBe('old');
    await interrupt('reloaded');
    await expect.poll(() => interrupted.summary?.id).toBe('reloaded');
    interrupted.resumed('reloaded');
    expect(interrupted.summary).toBeNull();
  });

  test('is withdrawn when the user dismisses it', async () => {
    const { interrupted } = await stage({ id: 'old', isInterrupted: true });
    await interrupted.load();
    expect(interrupted.summary?.id).toBe('old');
    interrupted.dismiss();
    expect(interrupted.summary).toBeNull();
  });
});
