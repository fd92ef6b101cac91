import { expect, it } from 'vitest';
import { ScoreMemory, type Scored } from '../../../src/node/serve/score/score-memory';

const MINUTE = 60_000;

const itemOf = (id: string) => ({
  id,
  task: { question: 'Why?', grader: 'exact' as const },
  pool: ['desk'],
  seed: 1,
  completion: '',
});

const scored = (id: string, failedRun: string | null = null): Scored => ({
  failedRun,
  result: {
    id,
    reward: failedRun === null ? 1 : null,
    format: true,
    correct: null,
    gradable: true,
    steps: 1,
    calls: 1,
    cost_usd: 0,
    run: failedRun,
    error: failedRun === null ? null : { code: 'worker_outage', message: 'It is down.', retryable: true },
  },
});

function memoryAt() {
  const time = { now: 0 };
  const dropped: string[] = [];
  const memory = new ScoreMemory({ monotonic: () => time.now }, (runId) => void dropped.push(runId));
  let count = 0;
  const score = (id: string) =>
    memory.scoreOnce(itemOf(id), () => {
      count += 1;
      return Promise.resolve(scored(id));
    });
  return { time, memory, score, dropped, count: () => count };
}

it('the score memory keeps a result for ten minutes after its last use', async () => {
  const { time, score, count } = memoryAt();
  for (; time.now < 40 * MINUTE; time.now += 9 * MINUTE) {
    await score('a');
    if (time.now === 0) await score('unused');
  }
  expect(count()).toBe(2);
  time.now += 11 * MINUTE;
  await score('a');
  await score('unused');
  expect(count()).toBe(4);
});

it('the score memory gives a failed run to one retry, and drops it if no retry arrives', async () => {
  const { time, memory, score, dropped } = memoryAt();
  const given: (string | null)[] = [];
  const fail = (id: string, runId: string | null) =>
    memory.scoreOnce(itemOf(id), (failedRun) => {
      given.push(failedRun);
      return Promise.resolve(scored(id, runId));
    });
  await fail('a', 'run-1');
  await fail('a', null);
  await fail('b', 'run-2');
  expect(given).toEqual([null, 'run-1', null]);
  time.now += 11 * MINUTE;
  await score('c');
  expect(dropped).toEqual(['run-2']);
});
