import { describe, expect, test } from 'vitest';
import { SavedRun } from '../../../src/app/run/saved-run.svelte';
import { fault, FaultError, foldEvents } from '../../../src/core/contract';
import { runStarted, stampEvents } from '../../fixtures/run-events';
import { HandFrames } from '../hand-frames';
import { conductStage } from '../conduct/conduct-services';
import { keepRun } from '../run-summaries';
import { newRunOf } from '../new-runs';
import { eventually } from '../../fixtures/eventually.ts';

async function stage({ held = false } = {}) {
  const all = conductStage({ held });
  const frames = new HandFrames();
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
  const open = (id: string) => new SavedRun({ runs: all.services.runs, notices }, id, frames);
  return {
    ...all,
    frames,
    open,
    notify: (runId: string) => listeners.forEach((listener) => listener(runId)),
    notifyAll: () => allListeners.forEach((listener) => listener()),
  };
}

describe('a saved run', () => {
  test('stores a grade, and removes it when the user gives the same grade again', async () => {
    const { store, open } = await stage();
    await keepRun(store, 'kept', 1000);
    const saved = open('kept');
    await saved.load();
    expect(saved.replay?.whole?.status).toBe('finished');
    await saved.grade(true);
    expect(saved.replay?.whole?.grade?.correct).toBe(true);
    await saved.grade(true);
    expect(saved.replay?.whole?.grade?.correct).toBeNull();
    await saved.grade(false);
    expect((await store.summary('kept'))?.correct).toBe(false);
  });

  test('is reported as missing if it is not stored', async () => {
    const { open } = await stage();
    const saved = open('nowhere');
    await saved.load();
    expect(saved.isMissing).toBe(true);
    expect(saved.replay).toBeNull();
  });

  test('shows the storage error if it cannot be read', async () => {
    const { store, open } = await stage();
    store.read = () => Promise.reject(new FaultError(fault('storage-failed', 'The disk cannot be read.')));
    const saved = open('any');
    await saved.load();
    expect(saved.fault?.message).toBe('The disk cannot be read.');
  });

  test('shows changes by another tab, and is reported as missing when that tab deletes it', async () => {
    const { store, open, notify } = await stage();
    await keepRun(store, 'kept', 1000);
    const saved = open('kept');
    await saved.load();
    const events = await store.read('kept');
    const graded = { type: 'run-graded', correct: true, by: 'person', detail: '' } as const;
    await store.append({ ...graded, runId: 'kept', seq: events.length, at: 5000, segment: 0, elapsed: 2200 });
    notify('other');
    notify('kept');
    await eventually(() => expect(saved.replay?.whole?.grade?.correct).toBe(true));
    await store.delete('kept');
    notify('kept');
    await eventually(() => expect(saved.isMissing).toBe(true));
  });

  test('is reported as missing after another tab deletes all runs', async () => {
    const { store, open, notifyAll } = await stage();
    await keepRun(store, 'kept', 1000);
    const saved = open('kept');
    await saved.load();
    await store.deleteAll();
    notifyAll();
    await eventually(() => expect(saved.isMissing).toBe(true));
  });

  test('forks into a new run that reuses the steps before the fork', async () => {
    const { store, services, open } = await stage();
    const first = await services.runs.start(newRunOf(services));
    await first.done;
    const saved = open(first.id);
    await saved.load();
    const forked = await saved.fork({ round: 0, step: 1 });
    expect(forked).toBe('run-2');
    await services.runs.live('run-2')?.done;
    const run = foldEvents(await store.read('run-2'));
    expect(run?.parent).toEqual({ runId: first.id, round: 0, step: 1 });
    expect(run?.rounds[0]?.steps[0]?.status).toBe('reused');
  });

  test('shows the error when deletion fails, and is deleted at the next attempt', async () => {
    const { store, open } = await stage();
    await keepRun(store, 'kept', 1000);
    const saved = open('kept');
    await saved.load();
    const { delete: really } = store;
    store.delete = () => Promise.reject(new FaultError(fault('storage-failed', 'Not now.')));
    expect(await saved.delete()).toBe(false);
    expect(saved.fault?.message).toBe('Not now.');
    store.delete = really;
    expect(await saved.delete()).toBe(true);
    expect(await store.count()).toBe(0);
  });
});

describe('a run that is executed in this tab', () => {
  test('is shown frame by frame until its end', async () => {
    const { services, frames, open, release } = await stage({ held: true });
    const live = await services.runs.start(newRunOf(services));
    const saved = open(live.id);
    await saved.load();
    expect(saved.isRunning).toBe(true);
    await eventually(() => expect(live.run.rounds[0]?.steps[0]?.attempts[0]?.output).toContain('says four'));
    const before = saved.replay?.position ?? 0;
    frames.draw(50);
    expect(saved.replay?.position).toBeGreaterThan(before);
    expect(saved.replay?.run).toEqual(live.run);
    release();
    const ended = await live.done;
    frames.draw(50);
    expect(saved.replay?.run).toEqual(ended);
    expect(saved.isRunning).toBe(false);
    await saved.grade(true);
    expect(saved.replay?.whole?.grade?.correct).toBe(true);
    saved.close();
  });

  test('can be stopped and resumed', async () => {
    const { store, services, frames, open, release, calls } = await stage({ held: true });
    const live = await services.runs.start(newRunOf(services));
    const saved = open(live.id);
    await saved.load();
    await eventually(() => expect(calls.length).toBeGreaterThan(0));
    saved.stop();
    await live.done;
    frames.draw(50);
    expect(saved.replay?.whole?.status).toBe('cancelled');
    release();
    await saved.resume();
    expect(saved.fault).toBeNull();
    await eventually(() => {
      frames.draw(50);
      expect(saved.replay?.run?.status).toBe('finished');
    });
    expect(saved.replay?.run?.rounds).toEqual(foldEvents(await store.read(live.id))?.rounds);
    saved.close();
    expect(frames.hasPending).toBe(false);
  });

  test('is shown until its end after it was interrupted and resumed', async () => {
    const { store, services, open, frames } = await stage();
    const bodies = [runStarted({ pool: services.simulated }), { type: 'run-interrupted' as const }];
    for (const event of stampEvents(bodies, { runId: 'left' })) await store.append(event);
    const saved = open('left');
    await saved.load();
    expect(saved.replay?.whole?.status).toBe('interrupted');
    await saved.resume();
    await eventually(() => {
      frames.draw(50);
      expect(saved.replay?.run?.status).toBe('finished');
    });
    expect(saved.replay?.run).toEqual(foldEvents(await store.read('left')));
    saved.close();
  });
});
