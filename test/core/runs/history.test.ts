import { describe, expect, it } from 'vitest';
import { Browser, newRun } from './scripted';

const told = (graded: number, right: number) => [
  { workerId: 'ash', role: 'solve', graded, right },
  { workerId: 'ash', role: 'any', graded, right },
];

describe('history', () => {
  it('counts who was called in graded runs, by role and over all', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    for (const correct of [true, false, true, null]) {
      const live = await runs.start(newRun());
      await live.done;
      if (correct !== null) await runs.grade(live.id, correct);
    }
    expect(await runs.history()).toEqual(told(3, 2));
    // Another page counts the same from the store alone.
    expect(await browser.tab().runs.history()).toEqual(told(3, 2));
  });

  it('follows a grade that changes, is taken back, or goes with its run', async () => {
    const { runs } = new Browser().tab();
    await (
      await runs.start(newRun())
    ).done;
    await (
      await runs.start(newRun())
    ).done;
    await runs.grade('run-1', true);
    await runs.grade('run-2', true);
    await runs.grade('run-2', false);
    expect(await runs.history()).toEqual(told(2, 1));
    await runs.grade('run-2', null);
    expect(await runs.history()).toEqual(told(1, 1));
    await runs.delete('run-1');
    expect(await runs.history()).toEqual([]);
  });

  it('hears of grades and deletions in another tab', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab().runs, browser.tab().runs];
    await (
      await one.start(newRun())
    ).done;
    expect(await one.history()).toEqual([]);
    await other.grade('run-1', true);
    expect(await one.history()).toEqual(told(1, 1));
    await other.delete('run-1');
    expect(await one.history()).toEqual([]);
  });

  it('is told to the Conductor of the next run', async () => {
    const { runs, asked } = new Browser().tab();
    await (
      await runs.start(newRun())
    ).done;
    await runs.grade('run-1', true);
    await (
      await runs.start(newRun())
    ).done;
    expect(asked[1]?.history).toEqual(told(1, 1));
  });

  it('reads events once, and only those of graded runs', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    for (let count = 0; count < 3; count++) await (await runs.start(newRun())).done;
    await runs.grade('run-2', true);
    const fresh = browser.tab().runs;
    const read: string[] = [];
    const original = browser.store.read.bind(browser.store);
    browser.store.read = (runId) => {
      read.push(runId);
      return original(runId);
    };
    await fresh.history();
    await fresh.history();
    expect(read).toEqual(['run-2']);
  });

  it('keeps the newest 500 graded runs', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    for (let count = 0; count < 502; count++) {
      const live = await runs.start(newRun());
      await live.done;
      await runs.grade(live.id, count >= 2);
      await browser.clock.advance(1000);
    }
    expect(await runs.history()).toEqual(told(500, 500));
    expect(await browser.tab().runs.history()).toEqual(told(500, 500));
  });

  it('does not keep a run from starting when it cannot be read', async () => {
    const browser = new Browser();
    browser.store.summaries = () => Promise.reject(new Error('disk'));
    const { runs, asked } = browser.tab();
    expect((await (await runs.start(newRun())).done).status).toBe('finished');
    expect(asked[0]?.history).toBeUndefined();
  });
});
