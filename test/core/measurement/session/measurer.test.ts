import { describe, expect, it } from 'vitest';
import { fault } from '../../../../src/core/contract';
import { parseMeasurementEvent } from '../../../../src/core/contract/measurement/measurement-schema';
import { foldMeasurement, spentOf } from '../../../../src/core/contract/measurement/measurement-state';
import { measuredWorker, measuringBrowser, planOf, rightReply, TASKS, text } from './measured';

const [ASH, BAY] = [measuredWorker('ash'), measuredWorker('bay')];
/** Cost of an answer: 20 tokens at $1 and 100 tokens at $10 per million. */
const COST = (20 + 1000) / 1e6;

describe('a measurement', () => {
  it('asks each worker its tasks and planted answers, and counts what was right', async () => {
    const browser = measuringBrowser(({ worker, prompt }) => text(worker === 'ash' ? rightReply(prompt) : 'Answer: 0'));
    const { measurer } = browser.tab();
    const { state, fault: found } = await (await measurer.start(planOf([ASH, BAY]))).done;
    expect(found).toBeNull();
    expect(state.isFinished).toBe(true);
    const of = (worker: number) => state.items.filter(({ item }) => item.worker === worker);
    expect([of(0).length, of(1).length]).toEqual([8, 8]);
    expect(of(0).map(({ answer }) => answer?.right)).toEqual(Array(8).fill(true));
    const planted = of(1).filter(({ item }) => item.planted !== undefined);
    expect(planted.map(({ item }) => item.planted).toSorted()).toEqual([false, true]);
    expect(planted.map(({ answer }) => answer?.verdict)).toEqual(['unsure', 'unsure']);
    expect(of(0).map(({ item }) => item.seed)).toEqual(of(1).map(({ item }) => item.seed));
    expect(spentOf(state)).toBeCloseTo(16 * COST, 12);
    expect((await browser.spending.totals()).today.usd).toBeCloseTo(16 * COST, 12);
    expect(new Set(browser.calls.map(({ maxTokens }) => maxTokens))).toEqual(new Set([8192]));
  });

  it('keeps a lower output limit of the worker', async () => {
    const browser = measuringBrowser(({ prompt }) => text(rightReply(prompt)));
    const { measurer } = browser.tab();
    await (
      await measurer.start(planOf([measuredWorker('ash', { sampling: { maxTokens: 300 } })]))
    ).done;
    expect(browser.calls[0]?.maxTokens).toBe(300);
  });

  it('counts cut-off answers, refusals, failures and unreadable answers as wrong, each apart', async () => {
    const failed = fault('broken-reply', 'Broken.');
    const replies = [
      text('Answer: 1', { finishReason: 'length' }),
      text('', { finishReason: 'content-filter' }),
      [{ type: 'failed', fault: failed, usage: null, cost: 0 } as const],
      text('It is one.'),
    ];
    const { measurer } = measuringBrowser(({ count }) => replies[count - 1] ?? text('Answer: 0')).tab();
    const plan = { ...planOf([ASH]), workers: [{ worker: ASH, tasks: 5, checks: 0 }] };
    const { state } = await (await measurer.start(plan)).done;
    expect(state.items.map(({ answer }) => [answer?.end, answer?.right, answer?.readable])).toEqual([
      ['cut-off', false, true],
      ['refused', false, true],
      ['failed', false, true],
      ['answered', false, false],
      ['answered', false, true],
    ]);
  });

  it('never spends more than the budget, whatever the answers cost', async () => {
    const most = (8192 * 10) / 1e6;
    const usd = 2.5 * most;
    const { measurer } = measuringBrowser(() => text('Answer: 0', { usage: { input: 20, output: 8192 } })).tab();
    const { state } = await (await measurer.start(planOf([ASH, BAY], { usd }))).done;
    expect(state.items).toHaveLength(2);
    expect(spentOf(state)).toBeLessThanOrEqual(usd);
    expect([...state.ended.values()].map(({ code }) => code)).toContain('cap-reached');
  });

  it('goes on while actual costs leave room, although the maximum costs of all calls do not fit', async () => {
    const usd = 1.2 * ((8192 * 10) / 1e6);
    const { measurer } = measuringBrowser(({ prompt }) => text(rightReply(prompt))).tab();
    const { state } = await (await measurer.start(planOf([ASH, BAY], { usd }))).done;
    expect(state.items.filter(({ answer }) => answer?.right)).toHaveLength(16);
  });

  it('keeps within the daily budget, and does not call a worker of unknown price', async () => {
    const { measurer } = measuringBrowser(({ prompt }) => text(rightReply(prompt)), 0.05).tab();
    const unpriced = measuredWorker('cob', { price: null });
    const { state } = await (await measurer.start(planOf([ASH, unpriced]))).done;
    expect(state.items).toEqual([]);
    expect([...state.ended].map(([worker, { code }]) => [worker, code]).toSorted()).toEqual([
      [0, 'cap-reached'],
      [1, 'price-unknown'],
    ]);
  });

  it('stops calling a worker that rejects its key, or that fails three times in a row', async () => {
    const browser = measuringBrowser(({ worker }) => {
      const code = worker === 'ash' ? 'unauthorized' : 'broken-reply';
      return [{ type: 'failed', fault: fault(code, 'No.'), usage: null, cost: 0 }];
    });
    const { state } = await (await browser.tab().measurer.start(planOf([ASH, BAY]))).done;
    expect(browser.calls.map(({ worker }) => worker).toSorted()).toEqual(['ash', 'bay', 'bay', 'bay']);
    expect(state.items.map(({ answer }) => answer?.end).toSorted()).toEqual(['failed', 'failed', 'failed', 'lost']);
  });

  it('keeps what it has when it is stopped, and resumes without repeating a call', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const browser = measuringBrowser(async ({ prompt, count }) => {
      if (count === 3) await held;
      return text(rightReply(prompt));
    });
    const { measurer } = browser.tab();
    const live = await measurer.start(planOf([ASH]));
    await expect.poll(() => browser.calls.length).toBe(3);
    live.stop();
    release();
    const { state } = await live.done;
    expect(state.isFinished).toBe(false);
    expect(state.items.map(({ answer }) => answer?.end)).toEqual(['answered', 'answered', 'lost']);
    const after = await (await measurer.resume(live.id)).done;
    expect(after.state.items.filter(({ answer }) => answer?.end === 'answered')).toHaveLength(7);
    expect(new Set(browser.calls.map(({ prompt }) => prompt)).size).toBe(browser.calls.length);
  });

  it('counts the call of a closed tab at its maximum cost, and does not make it again', async () => {
    const browser = measuringBrowser(({ prompt, count }) =>
      count === 3 ? new Promise(() => {}) : text(rightReply(prompt)),
    );
    const first = browser.tab();
    const { id } = await first.measurer.start(planOf([ASH]));
    await expect.poll(() => browser.calls.length).toBe(3);
    first.close();
    const { state } = await (await browser.tab().measurer.resume(id)).done;
    expect(state.items).toHaveLength(8);
    expect(state.items[2]?.answer).toBeNull();
    expect(state.items[2]?.usd).toBeGreaterThan(0.08);
    expect(new Set(browser.calls.map(({ prompt }) => prompt)).size).toBe(browser.calls.length);
    expect((await browser.spending.totals()).today.usd).toBeCloseTo(spentOf(state), 9);
    expect(foldMeasurement(browser.store.events)).toEqual(state);
  });

  it('runs in one tab at a time, only with Private off, and only with the same tasks', async () => {
    const browser = measuringBrowser(() => new Promise(() => {}));
    const first = browser.tab();
    const live = await first.measurer.start(planOf([ASH]));
    await expect(browser.tab().measurer.resume(live.id)).rejects.toMatchObject({ fault: { code: 'run-busy' } });
    first.close();
    await expect(browser.tab({ ...TASKS, revision: 2 }).measurer.resume(live.id)).rejects.toMatchObject({
      fault: { code: 'run-missing' },
    });
    browser.setPrivate();
    await expect(browser.tab().measurer.resume(live.id)).rejects.toMatchObject({ fault: { code: 'no-workers' } });
    await expect(browser.tab().measurer.start(planOf([ASH]))).rejects.toMatchObject({ fault: { code: 'no-workers' } });
  });

  it('records what workers had before they were given its figures', async () => {
    const browser = measuringBrowser(({ prompt }) => text(rightReply(prompt)));
    const { measurer } = browser.tab();
    const { state } = await (await measurer.start(planOf([ASH]))).done;
    const before = [{ id: 'ash', domains: { maths: 0.5 } }];
    expect((await measurer.record(state.id, { type: 'used', before })).before).toEqual(before);
    expect(browser.store.events.map(parseMeasurementEvent)).not.toContain(null);
    expect((await measurer.record(state.id, { type: 'undone' })).before).toBeNull();
  });
});
