import { describe, expect, it } from 'vitest';
import { foldEvents, type Run } from '../../../src/core/contract';
import { idle } from '../../fixtures/fake-clock';
import { ANSWERING, Browser, HANGING, newRun, oneStep, opening, type Script } from './scripted';

describe('a run in one tab', () => {
  it('starts as requested, ends, and is stored with its status and answer', async () => {
    const browser = new Browser();
    const { runs, requested } = browser.tab();
    const live = await runs.start(newRun());
    expect(live.run).toMatchObject({ id: 'run-1', question: { text: 'What is six times seven?' }, seed: 101 });
    const run = await live.done;
    expect(run).toMatchObject({ status: 'finished', answer: '42', access: 'binary' });
    expect(foldEvents(await browser.store.read('run-1'))).toMatchObject({ status: 'finished', answer: '42' });
    expect(requested[0]).toMatchObject({ runId: 'run-1', start: { access: 'binary' }, history: [] });
    expect(live.notice).toBeNull();
  });

  it('is rejected if its question is empty, and leaves neither a stored run nor a lock', async () => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await expect(runs.start(newRun({ question: '' }))).rejects.toMatchObject({ fault: { code: 'empty-question' } });
    expect(await browser.store.count()).toBe(0);
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });

  it('releases its lock if its execution throws before the first event', async () => {
    const browser = new Browser();
    const { runs } = browser.tab(async function* () {
      yield* [];
      throw new Error('broken');
    });
    const failed = runs.start(newRun());
    await expect(failed).rejects.toMatchObject({ fault: { code: 'internal', detail: 'Error: broken' } });
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
    expect(runs.liveRuns()).toEqual([]);
  });

  it('holds its lock while any event is being stored, and releases the lock at the end', async () => {
    const browser = new Browser();
    const held: boolean[] = [];
    browser.store.intercept = () => void held.push(browser.locks.isHeld('run:run-1'));
    const live = await browser.tab().runs.start(newRun());
    await live.done;
    expect(held.length).toBeGreaterThan(5);
    expect(held.every(Boolean)).toBe(true);
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });

  it('is live until it has ended', async () => {
    const { runs } = new Browser().tab(HANGING);
    const live = await runs.start(newRun());
    expect(runs.live('run-1')).toBe(live);
    expect(runs.liveRuns()).toEqual([live]);
    live.stop();
    expect((await live.done).status).toBe('cancelled');
    expect(runs.live('run-1')).toBeNull();
    live.stop();
    expect(live.run.status).toBe('cancelled');
  });

  it('runs in parallel with other runs, and can be stopped separately', async () => {
    const { runs } = new Browser().tab(HANGING);
    const one = await runs.start(newRun());
    const other = await runs.start(newRun());
    one.stop();
    await one.done;
    expect(runs.liveRuns().map(({ id }) => id)).toEqual(['run-2']);
    other.stop();
    await other.done;
  });

  it('can be opened while it is live, with its state and all events so far', async () => {
    const { runs } = new Browser().tab(HANGING);
    const live = await runs.start(newRun());
    await idle();
    const opened = await runs.open('run-1');
    expect(opened?.run).toBe(live.run);
    expect(opened?.events.map(({ type }) => type)).toEqual(['run-started', 'round-started']);
    expect(await runs.open('run-9')).toBeNull();
    live.stop();
    await live.done;
  });

  it.each([
    ['throws', { status: 'failed', fault: { code: 'internal', detail: 'Error: broken' } }, true],
    ['returns without an event that ends the run', { status: 'failed', fault: { code: 'internal' } }, false],
  ])('is stored as failed when its execution %s', async (_how, expected, throws) => {
    const browser = new Browser();
    const { runs } = browser.tab(async function* (request) {
      yield opening(request);
      if (throws) throw new Error('broken');
    });
    expect(await (await runs.start(newRun())).done).toMatchObject(expected);
    expect(foldEvents(await browser.store.read('run-1'))).toMatchObject(expected);
  });

  it('notifies other tabs when it starts and when it ends', async () => {
    const browser = new Browser();
    await (
      await browser.tab().runs.start(newRun())
    ).done;
    expect(browser.notices.notified).toEqual(['run-1', 'run-1']);
  });
});

describe('listeners', () => {
  it('receive each event once, in order, with the state of the run after the event', async () => {
    const { runs } = new Browser().tab();
    const live = await runs.start(newRun());
    const received: { seq: number; run: Run }[] = [];
    live.subscribe((run, event) => {
      expect(live.run).toBe(run);
      received.push({ seq: event.seq, run });
    });
    const last = await live.done;
    expect(received.map(({ seq }) => seq)).toEqual(received.map((_each, index) => index + (received[0]?.seq ?? 0)));
    expect(received.every(({ seq, run }) => run.lastSeq === seq)).toBe(true);
    expect(received.at(-1)?.run).toBe(last);
  });

  it('that throw affect neither other listeners nor the run', async () => {
    const reported: unknown[] = [];
    const { runs } = new Browser().tab(ANSWERING, { report: (thrown) => reported.push(thrown) });
    const live = await runs.start(newRun());
    const broken = new Error('a broken listener');
    let received = 0;
    live.subscribe(() => {
      throw broken;
    });
    live.subscribe(() => received++);
    expect((await live.done).status).toBe('finished');
    expect(received).toBeGreaterThan(0);
    expect(reported).toHaveLength(received);
    expect(reported[0]).toBe(broken);
  });

  it('receive nothing after they unsubscribe', async () => {
    const { runs } = new Browser().tab(HANGING);
    const live = await runs.start(newRun());
    await idle();
    const received: string[] = [];
    const leave = live.subscribe(() => received.push('left'));
    live.subscribe(() => received.push('stayed'));
    leave();
    live.stop();
    await live.done;
    expect(received).toEqual(['stayed']);
  });

  it('receive a grade that is given after the end of the run', async () => {
    const { runs } = new Browser().tab();
    const live = await runs.start(newRun());
    await live.done;
    const received: string[] = [];
    live.subscribe((run, event) => received.push(`${event.type} ${String(run.grade?.correct)}`));
    await runs.grade('run-1', true);
    expect(received).toEqual(['run-graded true']);
    expect(live.run.grade?.correct).toBe(true);
  });
});

describe('resume', () => {
  const failing: Script = async function* (request) {
    yield opening(request);
    yield* oneStep(request);
    const fault = { code: 'offline', message: 'You are offline.', retryable: true } as const;
    yield { type: 'run-failed', fault };
  };

  it('continues a failed run in a new segment', async () => {
    const browser = new Browser();
    await (
      await browser.tab(failing).runs.start(newRun())
    ).done;
    const { runs, requested } = browser.tab(async function* (request) {
      yield opening(request);
      yield { type: 'run-finished', round: 0, step: 0 };
    });
    const live = await runs.resume('run-1');
    expect(await live.done).toMatchObject({ status: 'finished', answer: '42', fault: null });
    expect(live.run.segments).toHaveLength(2);
    expect(requested[0]?.prior).toMatchObject({ kind: 'resume', run: { status: 'failed', lastSeq: 9 } });
    expect(requested[0]).toMatchObject({ start: { access: 'binary', seed: 101 } });
    const events = await browser.store.read('run-1');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
  });

  it('makes a run that was stopped in the same tab live again', async () => {
    const { runs } = new Browser().tab(HANGING);
    const first = await runs.start(newRun());
    first.subscribe(() => undefined);
    first.stop();
    await first.done;
    const second = await runs.resume('run-1');
    expect(runs.live('run-1')).toBe(second);
    second.stop();
    expect((await second.done).segments).toHaveLength(2);
  });

  it('rejects a finished run and an unknown run', async () => {
    const { runs } = new Browser().tab();
    await (
      await runs.start(newRun())
    ).done;
    await expect(runs.resume('run-1')).rejects.toMatchObject({ fault: { code: 'nothing-to-resume' } });
    await expect(runs.resume('run-9')).rejects.toMatchObject({ fault: { code: 'run-missing' } });
    await runs.grade('run-1', true);
  });

  it('rejects a run that is running in this tab', async () => {
    const { runs } = new Browser().tab(HANGING);
    const live = await runs.start(newRun());
    await expect(runs.resume('run-1')).rejects.toMatchObject({ fault: { code: 'run-busy' } });
    live.stop();
    await live.done;
  });
});

describe('fork', () => {
  const point = { round: 0, step: 0 };

  it('is a new run that records its parent', async () => {
    const { runs, requested } = new Browser().tab();
    await (
      await runs.start(newRun())
    ).done;
    const live = await runs.fork('run-1', point);
    expect(await live.done).toMatchObject({ id: 'run-2', parent: { runId: 'run-1', round: 0, step: 0 } });
    expect(requested[1]?.prior).toMatchObject({ kind: 'fork', round: 0, step: 0, run: { id: 'run-1', answer: '42' } });
    expect(live.run).toMatchObject({ question: { text: 'What is six times seven?' }, access: 'binary' });
  });

  it('keeps the seed if the workflow was edited, and otherwise gets a new seed', async () => {
    const { runs } = new Browser().tab();
    await (
      await runs.start(newRun({ seed: 5 }))
    ).done;
    const workflow = { steps: [{ worker: 1, subtask: 'Solve it well.', access: [] }] };
    const edited = await runs.fork('run-1', { ...point, workflow });
    const again = await runs.fork('run-1', point);
    expect(edited.run.seed).toBe(5);
    expect(again.run.seed).not.toBe(5);
    await Promise.all([edited.done, again.done]);
  });

  it.each([
    ['a missing round', { round: 1, step: 0 }],
    ['a step that is not in the workflow', { round: 0, step: 1 }],
    ['an invalid workflow', { ...point, workflow: { steps: [{ worker: 7, subtask: 'x', access: [] }] } }],
  ])('is rejected for %s', async (_what, wrong) => {
    const browser = new Browser();
    const { runs } = browser.tab();
    await (
      await runs.start(newRun())
    ).done;
    await expect(runs.fork('run-1', wrong)).rejects.toMatchObject({ fault: { code: 'plan-invalid' } });
    expect(await browser.store.count()).toBe(1);
  });
});
