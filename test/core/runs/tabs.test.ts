import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../../src/core/contract';
import { idle } from '../../fixtures/fake-clock';
import { ANSWERING, Browser, hang, HANGING, newRun, oneStep, opening } from './scripted';

describe('two tabs', () => {
  it('can each execute a run at the same time', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(), browser.tab()];
    const [first, second] = await Promise.all([one.runs.start(newRun()), other.runs.start(newRun())]);
    await Promise.all([first.done, second.done]);
    expect(new Set([first.id, second.id]).size).toBe(2);
    for (const { id, run } of [first, second]) {
      expect(foldEvents(await browser.store.read(id))?.answer).toBe('42');
      expect(run.lastSeq).toBe((await browser.store.read(id)).length - 1);
    }
  });

  it('do not mark each other’s live run as interrupted', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(HANGING), browser.tab()];
    const live = await one.runs.start(newRun());
    expect(await other.runs.recover()).toEqual([]);
    expect(await one.runs.recover()).toEqual([]);
    expect((await browser.store.read(live.id)).some(({ type }) => type === 'run-interrupted')).toBe(false);
    live.stop();
    expect((await live.done).status).toBe('cancelled');
  });

  it('can’t resume, grade, label or delete a run that is running in the other tab', async () => {
    const browser = new Browser();
    const live = await browser.tab(HANGING).runs.start(newRun());
    const { runs, requested } = browser.tab();
    const busy = { fault: { code: 'run-busy' } };
    await expect(runs.resume(live.id)).rejects.toMatchObject(busy);
    await expect(runs.grade(live.id, true)).rejects.toMatchObject(busy);
    await expect(runs.label(live.id, 'hard', true)).rejects.toMatchObject(busy);
    await expect(runs.delete(live.id)).rejects.toMatchObject(busy);
    expect(requested).toEqual([]);
    live.stop();
    expect((await live.done).status).toBe('cancelled');
    expect((await browser.store.read(live.id)).at(-1)?.type).toBe('run-cancelled');
  });

  it('can delete all runs only while no run is active in any tab', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(), browser.tab(HANGING)];
    const ended = await one.runs.start(newRun());
    await ended.done;
    await one.runs.grade(ended.id, true);
    expect(await one.runs.history()).not.toEqual([]);
    const live = await other.runs.start(newRun());
    const busy = { fault: { code: 'run-busy' } };
    await expect(one.runs.deleteAll()).rejects.toMatchObject(busy);
    await expect(other.runs.deleteAll()).rejects.toMatchObject(busy);
    expect(await browser.store.count()).toBe(2);
    live.stop();
    await live.done;
    await one.runs.deleteAll();
    expect(await browser.store.count()).toBe(0);
    expect(await one.runs.history()).toEqual([]);
    expect(browser.locks.isHeld(`run:${live.id}`)).toBe(false);
  });

  it('can open the saved part of a run that is live in the other tab', async () => {
    const browser = new Browser();
    const live = await browser.tab(HANGING).runs.start(newRun());
    const { runs } = browser.tab();
    expect((await runs.open(live.id))?.run.status).toBe('running');
    expect(runs.live(live.id)).toBeNull();
    live.stop();
    await live.done;
  });

  it('share runs: a tab can resume a closed tab’s run where the run stopped', async () => {
    const browser = new Browser();
    const closed = browser.tab(async function* (request, signal) {
      yield opening(request);
      yield* oneStep(request);
      await hang(signal);
    });
    const lost = await closed.runs.start(newRun());
    await idle();
    closed.close();

    const { runs, requested } = browser.tab(async function* (request) {
      yield opening(request);
      yield { type: 'run-finished', round: 0, step: 0 };
    });
    expect(await runs.recover()).toEqual([lost.id]);
    expect(await runs.recover()).toEqual([]);
    expect(requested).toEqual([]);
    expect((await runs.open(lost.id))?.run.status).toBe('interrupted');

    const live = await runs.resume(lost.id);
    expect(await live.done).toMatchObject({ status: 'finished', answer: '42' });
    expect(requested[0]?.prior?.run.rounds[0]?.steps[0]).toMatchObject({ status: 'finished', output: '42' });
    const events = await browser.store.read(lost.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
    const interrupted = events.find(({ type }) => type === 'run-interrupted');
    expect(interrupted?.segment).toBe(0);
    expect(events.at(-1)?.segment).toBe(1);
  });

  it('notice when the tab of a run closes, and only one of them reports the interruption', async () => {
    const browser = new Browser();
    const early = browser.tab();
    const [crashing, late] = [browser.tab(HANGING), browser.tab()];
    const notices: string[] = [];
    early.runs.listen((runId) => notices.push(`early: ${runId}`));
    late.runs.listen((runId) => notices.push(`late: ${runId}`));
    // The early tab is notified when the run starts. The late tab finds the run when it recovers runs. Both then watch the run.
    const lost = await crashing.runs.start(newRun());
    await idle();
    expect(await late.runs.recover()).toEqual([]);
    expect(notices).toEqual([]);
    crashing.close();
    await idle();
    expect(notices).toEqual([expect.stringMatching(/: run-1$/)]);
    const types = (await browser.store.read(lost.id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'run-interrupted')).toHaveLength(1);
    expect(browser.locks.isHeld(`run:${lost.id}`)).toBe(false);
  });

  it('report a run when its tab closes, but not when the run is stopped', async () => {
    const browser = new Browser();
    const watching = browser.tab();
    const notices: string[] = [];
    watching.runs.listen((runId) => notices.push(runId));
    const other = browser.tab(HANGING);
    const live = await other.runs.start(newRun());
    await idle();
    live.stop();
    await live.done;
    await idle();
    expect(notices).toEqual([]);
    await other.runs.resume(live.id);
    await idle();
    other.close();
    await idle();
    expect(notices).toEqual([live.id]);
    expect((await watching.runs.open(live.id))?.run.status).toBe('interrupted');
  });

  it('resume a run only once if both try at the same moment, and one of them gets an error', async () => {
    const browser = new Browser();
    const closed = browser.tab(HANGING);
    const lost = await closed.runs.start(newRun());
    await idle();
    closed.close();
    const tabs = [browser.tab(HANGING), browser.tab(HANGING)];
    const outcomes = await Promise.allSettled(tabs.map(({ runs }) => runs.resume(lost.id)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      fault: { code: 'run-busy', message: expect.stringMatching(/running in another tab/) },
    });
    expect(tabs.flatMap(({ requested }) => requested)).toHaveLength(1);
    const types = (await browser.store.read(lost.id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'run-resumed')).toHaveLength(1);
  });

  it('mark a closed tab’s run as interrupted before resuming it, even without a call to `recover`', async () => {
    const browser = new Browser();
    const closed = browser.tab(HANGING);
    const lost = await closed.runs.start(newRun());
    await idle();
    closed.close();
    const live = await browser.tab().runs.resume(lost.id);
    await live.done;
    const types = (await browser.store.read(lost.id)).map(({ type }) => type);
    expect(types.slice(1, 4)).toEqual(['round-started', 'run-interrupted', 'run-resumed']);
  });

  it('grade the same run at the same moment without a conflict', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(), browser.tab()];
    const { id, done } = await one.runs.start(newRun());
    await done;
    await Promise.all([one.runs.grade(id, true), other.runs.grade(id, false), other.runs.label(id, 'hard', true)]);
    const events = await browser.store.read(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
    const added = events.slice(-3);
    expect(added.map(({ type }) => type).toSorted()).toEqual(['run-graded', 'run-graded', 'run-labelled']);
    expect(added.every(({ segment }) => segment === 0)).toBe(true);
  });

  it('skip a run that can’t be marked as interrupted, and recover the other runs', async () => {
    const browser = new Browser();
    const closed = browser.tab(HANGING);
    const runs = [await closed.runs.start(newRun()), await closed.runs.start(newRun())];
    await idle();
    closed.close();
    const reported: unknown[] = [];
    browser.store.intercept = (event) => {
      if (event.runId === runs[0]?.id) throw new Error('disk');
    };
    const tab = browser.tab(ANSWERING, { report: (thrown) => reported.push(thrown) });
    expect(await tab.runs.recover()).toEqual([runs[1]?.id]);
    expect(reported).toHaveLength(1);
    expect(browser.locks.isHeld('run:run-1')).toBe(false);
  });
});
