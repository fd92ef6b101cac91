import { describe, expect, it } from 'vitest';
import { Browser, HANGING, newRun } from './scripted';

async function ended() {
  const browser = new Browser();
  const { runs } = browser.tab();
  await (
    await runs.start(newRun())
  ).done;
  browser.notices.notified.length = 0;
  return { browser, runs };
}

describe('a run', () => {
  it('can be graded, regraded and ungraded after its end', async () => {
    const { browser, runs } = await ended();
    expect((await runs.grade('run-1', true, 'grader', 'Six times seven is 42.')).grade).toEqual({
      correct: true,
      by: 'grader',
      detail: 'Six times seven is 42.',
    });
    expect((await runs.grade('run-1', false)).grade).toEqual({ correct: false, by: 'person', detail: '' });
    expect((await runs.grade('run-1', null)).grade?.correct).toBeNull();
    expect((await browser.store.summary('run-1'))?.correct).toBeNull();
    expect(browser.notices.notified).toEqual(['run-1', 'run-1', 'run-1']);
  });

  it('keeps its duration and status when it is graded', async () => {
    const { browser, runs } = await ended();
    const before = await runs.open('run-1');
    const run = await runs.grade('run-1', true);
    const [last, graded] = (await browser.store.read('run-1')).slice(-2);
    expect(graded).toMatchObject({ seq: (last?.seq ?? 0) + 1, segment: last?.segment, elapsed: last?.elapsed });
    expect(run.time).toBe(before?.run.time);
    expect(run.status).toBe('finished');
  });

  it('can be labeled and unlabeled', async () => {
    const { runs } = await ended();
    await runs.label('run-1', 'hard', true);
    expect((await runs.label('run-1', 'sums', true)).labels).toEqual(['hard', 'sums']);
    expect((await runs.label('run-1', 'hard', false)).labels).toEqual(['sums']);
  });

  it('can be deleted', async () => {
    const { browser, runs } = await ended();
    await runs.delete('run-1');
    expect(await runs.open('run-1')).toBeNull();
    expect(browser.notices.notified).toEqual(['run-1']);
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
    await expect(runs.grade('run-1', true)).rejects.toMatchObject({ fault: { code: 'run-missing' } });
    await expect(runs.fork('run-1', { round: 0, step: 0 })).rejects.toMatchObject({ fault: { code: 'run-missing' } });
  });

  it('can be graded as soon as its last event is emitted', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    const live = await runs.start(newRun());
    const graded = new Promise((resolve, reject) => {
      live.subscribe((_run, event) => {
        if (event.type === 'run-finished') runs.grade(live.id, true).then(resolve, reject);
      });
    });
    await expect(graded).resolves.toMatchObject({ grade: { correct: true } });
    expect((await browser.store.read(live.id)).at(-1)?.type).toBe('run-graded');
  });

  it('can be neither graded nor deleted before its end', async () => {
    const { runs } = new Browser().tab(HANGING);
    const live = await runs.start(newRun());
    await expect(runs.grade(live.id, true)).rejects.toMatchObject({ fault: { code: 'run-busy' } });
    await expect(runs.delete(live.id)).rejects.toMatchObject({ fault: { code: 'run-busy' } });
    live.stop();
    await live.done;
    expect((await runs.grade(live.id, false)).grade?.correct).toBe(false);
  });
});
