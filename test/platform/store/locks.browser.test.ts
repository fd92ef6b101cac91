import { describe, expect, it } from 'vitest';
import { createWebLocks } from '../../../src/platform/store/locks';
import { createBroadcastNotices } from '../../../src/platform/store/notices';
import { uniqueName } from './harness';

describe('Web Locks', () => {
  it('are held by one holder at a time until they are released', async () => {
    const name = uniqueName();
    const here = createWebLocks();
    const there = createWebLocks();
    const release = await here.acquire(name);
    expect(release).not.toBeNull();
    expect(await there.acquire(name)).toBeNull();
    expect(await here.acquire(name)).toBeNull();
    const other = await there.acquire(`${name}-other`);
    expect(other).not.toBeNull();
    other?.();
    release?.();
    release?.();
    const again = await there.acquire(name);
    expect(again).not.toBeNull();
    again?.();
  });

  it('are released when the page that holds them closes', async () => {
    const name = uniqueName();
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const theirs = createWebLocks(frame.contentWindow?.navigator.locks);
    expect(await theirs.acquire(name)).not.toBeNull();
    const mine = createWebLocks();
    expect(await mine.acquire(name)).toBeNull();
    frame.remove();
    let release: (() => void) | null = null;
    while (!release) release = await mine.acquire(name);
    release();
  });

  it('let all waiting callers continue when the holder’s page closes, and reject aborted callers', async () => {
    const name = uniqueName();
    const { signal } = new AbortController();
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const theirs = createWebLocks(frame.contentWindow?.navigator.locks);
    await createWebLocks().whenFree(name, signal);
    expect(await theirs.acquire(name)).not.toBeNull();
    const free: string[] = [];
    const waiting = ['one', 'other'].map((who) =>
      createWebLocks()
        .whenFree(name, signal)
        .then(() => free.push(who)),
    );
    expect(await createWebLocks().acquire(name)).toBeNull();
    expect(free).toEqual([]);
    const impatient = new AbortController();
    const given = createWebLocks().whenFree(name, impatient.signal);
    impatient.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    frame.remove();
    await Promise.all(waiting);
    expect(free.toSorted()).toEqual(['one', 'other']);
  });

  it('reject with an explanation if the browser does not provide them', async () => {
    const locks = createWebLocks(null);
    await expect(locks.acquire('x')).rejects.toThrow(/https or from localhost/);
    const waiting = locks.whenFree('x', new AbortController().signal);
    await expect(waiting).rejects.toThrow(/https or from localhost/);
  });
});

describe('notices between tabs', () => {
  it('reach every tab except the sender', async () => {
    const name = uniqueName();
    const [here, there] = [createBroadcastNotices(name), createBroadcastNotices(name)];
    const mine: string[] = [];
    here.listen((runId) => mine.push(runId));
    const received = new Promise<string>((resolve) => void there.listen(resolve));
    here.notify('run-1');
    expect(await received).toBe('run-1');
    expect(mine).toEqual([]);
    here.close();
    there.close();
  });

  it('are not received after unsubscribing', async () => {
    const name = uniqueName();
    const [here, there] = [createBroadcastNotices(name), createBroadcastNotices(name)];
    const received: string[] = [];
    const stop = there.listen((runId) => received.push(runId));
    stop();
    const later = new Promise<string>((resolve) => void there.listen(resolve));
    here.notify('run-1');
    expect(await later).toBe('run-1');
    expect(received).toEqual([]);
    here.close();
    there.close();
  });

  it('can report to other tabs that everything may have changed', async () => {
    const name = uniqueName();
    const [here, there] = [createBroadcastNotices(name), createBroadcastNotices(name)];
    const runs: string[] = [];
    const mine: string[] = [];
    there.listen((runId) => runs.push(runId));
    here.listenAll(() => mine.push('all'));
    const received = new Promise<string>((resolve) => void there.listenAll(() => resolve('all')));
    here.notifyAll();
    expect(await received).toBe('all');
    expect([runs, mine]).toEqual([[], []]);
    here.close();
    there.close();
  });

  it('can report to other tabs that only policies have changed', async () => {
    const name = uniqueName();
    const [here, there] = [createBroadcastNotices(name), createBroadcastNotices(name)];
    const others: unknown[] = [];
    there.listen((runId) => others.push(runId));
    there.listenAll(() => others.push('all'));
    here.listenPolicies(() => others.push('mine'));
    const received = new Promise<string>((resolve) => void there.listenPolicies(() => resolve('policies')));
    here.notifyPolicies();
    expect(await received).toBe('policies');
    expect(others).toEqual([]);
    here.close();
    there.close();
  });

  it('reach the listeners for single runs only if they are run ids', async () => {
    const name = uniqueName();
    const there = createBroadcastNotices(name);
    const stranger = new BroadcastChannel(name);
    const received = new Promise<unknown>((resolve) => void there.listen(resolve));
    stranger.postMessage({ runId: 5 });
    stranger.postMessage('run-1');
    expect(await received).toBe('run-1');
    stranger.close();
    there.close();
  });
});
