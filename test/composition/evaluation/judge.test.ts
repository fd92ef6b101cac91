import { describe, expect, it } from 'vitest';
import { judgeUnderBudget } from '../../../src/composition/evaluation/judge';
import type { PoolWorker, WorkerClient, WorkerEvent } from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { MemorySpending } from '../../fixtures/memory-spending';

const WORKER: PoolWorker = {
  id: 'ash',
  name: 'Ash',
  mark: 'As',
  colour: 1,
  kind: 'endpoint',
  model: 'ash-1',
  origin: 'https://api.example.com',
  price: { input: 1, output: 2 },
};
const ANSWER: readonly WorkerEvent[] = [
  { type: 'delta', channel: 'content', text: 'VERDICT: CORRECT' },
  { type: 'finished', usage: { input: 5, output: 3 }, cost: 0.5, finishReason: 'stop' },
];

function setUp(dailyBudget: number | null) {
  const clock = new FakeClock('auto');
  const spending = new MemorySpending(clock, dailyBudget);
  const held: number[] = [];
  const client: WorkerClient = {
    async *run() {
      held.push(spending.holds.size);
      yield* ANSWER;
    },
  };
  const locks = new MemoryLocks().tab();
  const judge = judgeUnderBudget(WORKER, { workers: () => client, locks, spending, clock, newId: () => 'one' });
  const ask = () => judge.ask([{ role: 'user', content: 'Grade.' }], new AbortController().signal);
  return { ask, spending, held };
}

describe('the judge of a batch', () => {
  it('reserves budget before its call, and records the actual cost after the call', async () => {
    const { ask, spending, held } = setUp(10);
    expect(await ask()).toBe('VERDICT: CORRECT');
    expect(held).toEqual([1]);
    expect(spending.holds.size).toBe(0);
    expect((await spending.totals()).today).toMatchObject({ calls: 1, usd: 0.5 });
  });

  it('makes no call if the call could exceed the daily budget', async () => {
    const { ask, held } = setUp(0.000_001);
    await expect(ask()).rejects.toMatchObject({ fault: { code: 'cap-reached' } });
    expect(held).toEqual([]);
  });
});
