/** @file Tests that money reserved for a run's calls is booked (counted as spent) or released when the run is over. */
import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  type CallKey,
  type ConductorInfo,
  type EventBody,
  type HoldRequest,
} from '../../../src/core/contract';
import { idle } from '../../fixtures/fake-clock';
import { MemorySpending } from '../../fixtures/memory-spending';
import { ANSWERING, Browser, HANGING, hang, newRun, oneStep, opening, type Script } from './scripted';

const CONDUCTOR: ConductorInfo = { id: 'scripted', label: 'Scripted', kind: 'by-hand' };
const call = (runId: string): HoldRequest => ({ runId, workerId: 'ash', name: 'Ash', usd: 0.5 });

function room() {
  const browser = new Browser();
  const spending = new MemorySpending(browser.clock, 10);
  /** A run that reserves money and never books it. */
  const forgetful: Script = async function* (request) {
    yield opening(request);
    await spending.hold(call(request.runId));
    yield* oneStep(request);
    yield { type: 'run-finished', round: 0, step: 0 };
  };
  const usd = async () => (await spending.totals()).today.usd;
  return { browser, spending, forgetful, usd };
}

describe('reserved money', () => {
  it('counts as spent once its run has ended', async () => {
    const { browser, spending, forgetful, usd } = room();
    const { runs } = browser.tab(forgetful, { spending });
    const live = await runs.start(newRun());
    await live.done;
    expect(spending.holds.size).toBe(0);
    expect(await usd()).toBe(0.5);
  });

  it('is booked before the run’s lock is released', async () => {
    const { browser, spending, forgetful } = room();
    const { abandon } = spending;
    const free: boolean[] = [];
    spending.abandon = async (runId) => {
      const release = await browser.locks.tab().acquire(`run:${runId}`);
      free.push(release !== null);
      release?.();
      return abandon(runId);
    };
    const live = await browser.tab(forgetful, { spending }).runs.start(newRun());
    await live.done;
    expect(free).toEqual([false]);
  });

  it('does not keep its run from being saved if the booking fails, and is booked later', async () => {
    const { browser, spending, forgetful } = room();
    const lost = new FaultError(fault('storage-failed', 'Storage failed.'));
    const { abandon } = spending;
    spending.abandon = () => Promise.reject(lost);
    const { runs } = browser.tab(forgetful, { spending });
    const live = await runs.start(newRun());
    expect((await live.done).status).toBe('finished');
    expect(runs.live(live.id)).toBeNull();
    spending.abandon = abandon;
    await browser.tab(ANSWERING, { spending }).runs.recover();
    expect(spending.holds.size).toBe(0);
  });

  it('is booked when the run is saved later, if storage was full at first', async () => {
    const { browser, spending, forgetful, usd } = room();
    const full = new FaultError(fault('storage-full', 'Storage is full.'));
    const { abandon } = spending;
    spending.abandon = () => Promise.reject(full);
    browser.store.intercept = ({ type }) => {
      if (type === 'run-finished') throw full;
    };
    const { runs } = browser.tab(forgetful, { spending });
    const live = await runs.start(newRun());
    await live.done;
    expect(runs.live(live.id)).not.toBeNull();
    spending.abandon = abandon;
    browser.store.intercept = () => undefined;
    await runs.grade(live.id, true);
    expect(spending.holds.size).toBe(0);
    expect(await usd()).toBe(0.5);
  });

  it('counts as spent when its run is deleted', async () => {
    const { browser, spending, usd } = room();
    const { runs } = browser.tab(ANSWERING, { spending });
    const live = await runs.start(newRun());
    await live.done;
    await spending.hold(call(live.id));
    await runs.delete(live.id);
    expect(spending.holds.size).toBe(0);
    expect(await usd()).toBe(0.5);
  });

  it('counts as spent when all runs are deleted', async () => {
    const { browser, spending } = room();
    const { runs } = browser.tab(ANSWERING, { spending });
    await (
      await runs.start(newRun())
    ).done;
    await spending.hold(call('run-1'));
    await spending.hold(call('long gone'));
    await runs.deleteAll();
    expect(spending.holds.size).toBe(0);
  });

  const requested: EventBody[] = [
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor: CONDUCTOR, messages: [] },
  ];
  const planWaits: EventBody = { type: 'plan-waiting', round: 0, for: 'limit', delay: 10 };
  const key = { round: 0, step: 0, attempt: 0 };
  const started: EventBody[] = [
    ...requested,
    { type: 'plan-step-known', round: 0, index: 0, step: { worker: 0, subtask: 'Solve it.', access: [] } },
    { type: 'step-queued', ...key },
    { type: 'step-started', ...key, workerId: 'ash', messages: [], sha256: 'a'.repeat(64) },
  ];
  const stepWaits: EventBody = { type: 'step-waiting', ...key, for: 'limit', delay: 10 };
  const retried: EventBody = {
    type: 'plan-retried',
    round: 0,
    problem: null,
    fault: null,
    text: '',
    usage: null,
    cost: null,
    next: 'stricter',
  };
  const plan = { round: 0, step: null, attempt: 0 };
  it.each<readonly [string, readonly EventBody[], CallKey | undefined, number]>([
    ['a step that waits', [...started, stepWaits], key, 0],
    ['the second attempt of a step whose first attempt waits', [...started, stepWaits], { ...key, attempt: 1 }, 0.5],
    ['a step whose call may have been sent', started, key, 0.5],
    ['a step whose call was sent after a wait', [...started, stepWaits, { ...stepWaits, for: null }], key, 0.5],
    ['a plan that waits', [...requested, planWaits], plan, 0],
    ['a plan whose call may have been sent', requested, plan, 0.5],
    ['the first attempt at a plan whose second attempt waits', [...requested, retried, planWaits], plan, 0.5],
    ['the second attempt at a plan, which waits', [...requested, retried, planWaits], { ...plan, attempt: 1 }, 0],
    ['an unknown call', [...started, stepWaits], undefined, 0.5],
  ])(
    'for %s is booked if the closed page may have sent the call, and otherwise released',
    async (_name, bodies, of, spent) => {
      const { browser, spending, usd } = room();
      const lost = browser.tab(
        async function* (request, signal) {
          yield opening(request);
          yield* bodies;
          await hang(signal);
        },
        { spending },
      );
      const live = await lost.runs.start(newRun());
      await spending.hold({ ...call(live.id), ...(of ? { call: of } : {}) });
      await idle();
      lost.close();
      await browser.tab(ANSWERING, { spending }).runs.recover();
      expect(spending.holds.size).toBe(0);
      expect(await usd()).toBe(spent);
    },
  );

  it('is booked when another page opens, but only if its run has ended or was deleted', async () => {
    const { browser, spending, usd } = room();
    const first = browser.tab(ANSWERING, { spending });
    const over = await first.runs.start(newRun());
    await over.done;
    const second = browser.tab(HANGING, { spending });
    const atWork = await second.runs.start(newRun());
    for (const runId of [over.id, atWork.id, 'gone']) await spending.hold(call(runId));
    await browser.tab(ANSWERING, { spending }).runs.recover();
    expect([...spending.holds.values()].map(({ runId }) => runId)).toEqual([atWork.id]);
    expect(await usd()).toBe(1);
    second.close();
    await browser.tab(ANSWERING, { spending }).runs.recover();
    expect(spending.holds.size).toBe(0);
  });
});
