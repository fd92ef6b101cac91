import { expect, test } from 'vitest';
import {
  fault,
  worstInput,
  type CallCaps,
  type CallDay,
  type PoolWorker,
  type WorkerEvent,
} from '../../../src/core/contract';
import { createJudge } from '../../../src/core/graders/ask-judge';
import { FakeClock } from '../../fixtures/fake-clock';

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
const MESSAGES = [{ role: 'user', content: 'Grade.' }] as const;
const DELTA: WorkerEvent = { type: 'delta', channel: 'content', text: 'VERDICT: CORRECT' };
const FINISHED: WorkerEvent = { type: 'finished', usage: { input: 5, output: 3 }, cost: 0.5, finishReason: 'stop' };

/** @param replies the events of each call. The last reply is repeated */
function judgeWith(replies: readonly (readonly WorkerEvent[])[], isRefused = false) {
  const bills: unknown[] = [];
  const settled: unknown[] = [];
  let calls = 0;
  const day: CallDay = {
    hold: async () =>
      isRefused ? { type: 'refused', fault: fault('cap-reached', 'Spent.') } : { type: 'held', hold: { id: 'one' } },
    settle: async (_hold, account) => void bills.push(account?.cost ?? account),
  };
  const worst: (number | null)[] = [];
  const room = async (usd: number | null): Promise<CallCaps> => {
    worst.push(usd);
    return {
      reserve: () => ({ type: 'reserved', reservation: null }),
      settle: (_reservation, account, isCall) => void settled.push([account.cost, isCall]),
    };
  };
  const client = {
    async *run() {
      calls += 1;
      yield* replies[Math.min(calls, replies.length) - 1] ?? [];
    },
  };
  const clock = new FakeClock('auto');
  const judge = createJudge({ worker: WORKER, client, day, clock });
  return {
    ask: () => judge.ask(MESSAGES, new AbortController().signal, room),
    bills,
    settled,
    worst,
    calls: () => calls,
  };
}

test('reserves the maximum cost of a call to the judge, returns the answer, and books the actual cost', async () => {
  const { ask, bills, settled, worst } = judgeWith([[DELTA, FINISHED]]);
  expect(await ask()).toBe('VERDICT: CORRECT');
  expect(bills).toEqual([0.5]);
  expect(settled).toEqual([[0.5, true]]);
  // The maximum cost is the prompt at $1 a million tokens, and 8,192 output tokens at $2 a million.
  expect(worst).toEqual([(worstInput(MESSAGES) + 2 * 8192) / 1e6]);
});

test('rejects with the fault of a failed call, and books the cost of that call', async () => {
  const failed: WorkerEvent = { type: 'failed', fault: fault('overloaded', 'Busy.'), usage: null, cost: 0.1 };
  const { ask, bills } = judgeWith([[failed]]);
  await expect(ask()).rejects.toMatchObject({ fault: { code: 'overloaded' } });
  expect(bills).toEqual([0.1]);
});

test('books an answer that was cut off as a call of unknown cost', async () => {
  const { ask, bills, settled } = judgeWith([[DELTA]]);
  await expect(ask()).rejects.toMatchObject({ fault: { code: 'cut-off' } });
  expect(bills).toEqual([{ usage: null, cost: null }]);
  expect(settled).toEqual([[null, true]]);
});

test('makes no call if the daily budget has no room, and releases the reservation', async () => {
  const { ask, settled, calls } = judgeWith([[DELTA, FINISHED]], true);
  await expect(ask()).rejects.toMatchObject({ fault: { code: 'cap-reached' } });
  expect(calls()).toBe(0);
  expect(settled).toEqual([[0, false]]);
});

const BUSY: WorkerEvent = {
  type: 'failed',
  fault: fault('overloaded', 'Busy.', { retryable: true }),
  usage: null,
  cost: 0,
};

test('retries a temporary failure, and reserves and books each call', async () => {
  const { ask, bills, settled, worst, calls } = judgeWith([[BUSY], [BUSY], [DELTA, FINISHED]]);
  expect(await ask()).toBe('VERDICT: CORRECT');
  expect(calls()).toBe(3);
  expect(bills).toEqual([0, 0, 0.5]);
  expect(settled).toHaveLength(3);
  expect(worst).toHaveLength(3);
});

test('retries a temporary failure at most three times', async () => {
  const { ask, calls } = judgeWith([[BUSY]]);
  await expect(ask()).rejects.toMatchObject({ fault: { code: 'overloaded' } });
  expect(calls()).toBe(4);
});

test('does not retry a call that fails after a part of its answer has arrived', async () => {
  const { ask, calls } = judgeWith([[DELTA, BUSY]]);
  await expect(ask()).rejects.toMatchObject({ fault: { code: 'overloaded' } });
  expect(calls()).toBe(1);
});
