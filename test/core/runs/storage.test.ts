import { describe, expect, it } from 'vitest';
import { fault, FaultError } from '../../../src/core/contract';
import { Browser, newRun } from './scripted';

const full = new FaultError(fault('storage-full', 'The browser’s storage is full. Delete some runs.'));

/** A browser whose storage rejects all events from number `seq` on, until `makeRoom` is called. */
function filledAt(seq: number) {
  const browser = new Browser();
  browser.store.intercept = (event) => {
    if (event.seq >= seq) throw full;
  };
  const makeRoom = () => (browser.store.intercept = () => undefined);
  return { browser, makeRoom };
}

describe('a tab with full, slow or failing storage', () => {
  it.each([0, 4])('finishes a run when storage fails from event %i on, and reports the failure', async (seq) => {
    const { browser } = filledAt(seq);
    const { runs } = browser.tab();
    const live = await runs.start(newRun());
    expect(await live.done).toMatchObject({ status: 'finished', answer: '42' });
    expect(live.notice).toEqual({ ...full.fault, message: `This run is not saved. ${full.message}` });
    expect((await runs.open(live.id))?.run.answer).toBe('42');
    expect(runs.live(live.id)).toBe(live);
    expect(await browser.store.read(live.id)).toHaveLength(seq);
  });

  it('prevents other tabs from marking its unsaved run as interrupted', async () => {
    const { browser } = filledAt(4);
    const live = await browser.tab().runs.start(newRun());
    await live.done;
    expect(await browser.tab().runs.recover()).toEqual([]);
    expect(browser.locks.isHeld('run:run-1')).toBe(true);
  });

  it('gives the error “storage-full” when an unsaved run is graded or resumed', async () => {
    const { runs } = filledAt(4).browser.tab();
    const live = await runs.start(newRun());
    await live.done;
    await expect(runs.grade(live.id, true)).rejects.toMatchObject({ fault: { code: 'storage-full' } });
    await expect(runs.resume(live.id)).rejects.toMatchObject({ fault: { code: 'storage-full' } });
  });

  it('saves an unsaved run completely if it is graded and labeled after storage has room again', async () => {
    const { browser, makeRoom } = filledAt(4);
    const { runs } = browser.tab();
    const live = await runs.start(newRun());
    await live.done;
    makeRoom();
    await Promise.all([runs.grade(live.id, true), runs.label(live.id, 'hard', true)]);
    expect(live.notice).toBeNull();
    expect(runs.live(live.id)).toBeNull();
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
    expect(await browser.store.summary(live.id)).toMatchObject({ status: 'finished', correct: true, labels: ['hard'] });
  });

  it('saves the whole run at its end, even if an earlier write failed', async () => {
    const browser = new Browser();
    let tries = 0;
    browser.store.intercept = (event) => {
      if (event.seq === 4 && tries++ === 0) throw full;
    };
    const live = await browser.tab().runs.start(newRun());
    await live.done;
    expect(live.notice).toBeNull();
    expect((await browser.store.read(live.id)).map(({ seq }) => seq)).toEqual([...Array(live.run.lastSeq + 1).keys()]);
  });

  it('saves an unsaved run when the deletion of another run makes room', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await (
      await runs.start(newRun())
    ).done;
    let room = false;
    browser.store.intercept = () => {
      if (!room) throw full;
    };
    const live = await runs.start(newRun());
    await live.done;
    expect(live.notice?.code).toBe('storage-full');
    room = true;
    await runs.delete('run-1');
    expect(live.notice).toBeNull();
    expect(await browser.store.summary(live.id)).toMatchObject({ status: 'finished' });
  });

  it('deletes an unsaved run', async () => {
    const { browser } = filledAt(4);
    const { runs } = browser.tab();
    const live = await runs.start(newRun());
    await live.done;
    await runs.delete(live.id);
    expect(runs.liveRuns()).toEqual([]);
    expect(await runs.open(live.id)).toBeNull();
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });

  it('drops unsaved runs when all runs are deleted', async () => {
    const { browser } = filledAt(4);
    const { runs } = browser.tab();
    const live = await runs.start(newRun());
    await live.done;
    await runs.deleteAll();
    expect(runs.liveRuns()).toEqual([]);
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });

  it('does not delay live events when storage is slow', async () => {
    const browser = new Browser();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    browser.store.intercept = () => held;
    const live = await browser.tab().runs.start(newRun());
    await new Promise<void>((resolve) => {
      live.subscribe((run) => run.status === 'finished' && resolve());
    });
    expect(live.run.answer).toBe('42');
    expect(browser.locks.isHeld('run:run-1')).toBe(true);
    release();
    await live.done;
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });

  it('throws an error and keeps the run when its deletion fails', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await (
      await runs.start(newRun())
    ).done;
    browser.store.delete = () => Promise.reject(full);
    await expect(runs.delete('run-1')).rejects.toBe(full);
    expect((await runs.open('run-1'))?.run.answer).toBe('42');
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });
});
