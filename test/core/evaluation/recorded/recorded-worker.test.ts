import { describe, expect, test } from 'vitest';
import { isRecorded, type PoolWorker, type Step, type WorkerEvent } from '../../../../src/core/contract';
import { createRecordedGrader } from '../../../../src/core/graders/recorded-score';
import type { RecordedTable } from '../../../../src/core/evaluation/recorded/recorded-table';
import { recordedPoolWorkers } from '../../../../src/core/evaluation/recorded/recorded-pool';
import { createRecordedWorkers } from '../../../../src/core/evaluation/recorded/recorded-worker';
import { KeptAnswers } from '../../../../src/core/evaluation/recorded/recorded-answers';
import { createExactGrader } from '../../../../src/core/graders/text-match';
import { FakeClock } from '../../../fixtures/fake-clock';
import { play } from '../../executor/scripted';
import { CAPITAL, LINES, RIVER, SCORE_TABLE, SUM, TABLE, tableOf } from './table';

const { signal } = new AbortController();
const SOLVE = 'Solve the task. Show the steps that matter and end with your result.';
const alone = (worker: number, subtask = SOLVE): Step => ({ worker, subtask, access: [] });

const poolOf = ({ workers }: RecordedTable) => recordedPoolWorkers(workers, { id: 'made-up', name: 'Made-up' });

function answersOf({ tasks }: RecordedTable): KeptAnswers {
  const answers = new KeptAnswers();
  answers.add('made-up', tasks);
  return answers;
}

/** Runs a plan in the real executor. The workers replay the answers of a table. */
function replay(table: RecordedTable, question: string, plan: readonly Step[], task?: string) {
  const clock = new FakeClock('auto');
  const client = createRecordedWorkers({ answers: answersOf(table), clock });
  return play({
    clock,
    plan,
    start: {
      pool: poolOf(table),
      question: { text: question },
      ...(task === undefined ? {} : { batch: { id: 'b', dataset: 'made-up', task, method: 'm', repeat: 0 } }),
    },
    dependencies: { workers: () => client },
  });
}

async function call(content: string, worker: PoolWorker | undefined): Promise<WorkerEvent[]> {
  if (!worker) throw new Error('There is no worker.');
  const client = createRecordedWorkers({ answers: answersOf(TABLE), clock: new FakeClock('auto') });
  const options = { worker, attempt: 0, seed: 1, temperature: 0, maxTokens: 100 };
  const events: WorkerEvent[] = [];
  for await (const event of client.run([{ role: 'user', content }], options, signal)) events.push(event);
  return events;
}

describe('a step in which a recorded worker answers the whole question', () => {
  test.each([SOLVE, 'Solve the user question.', 'Answer the question.'])(
    'replays the recorded answer for the subtask “%s”',
    async (subtask) => {
      const { run } = await replay(TABLE, CAPITAL, [alone(0, subtask)]);

      expect(run.status).toBe('finished');
      expect(run.answer).toMatch(/^Lima\n/);
    },
  );

  test('replays the answer to the task of its batch if two tasks have the same question', async () => {
    const row = { id: 1, question: CAPITAL, worker: 'lynx', score: 1 };
    const rows = [
      { ...row, group: 'x', answer: 'Lima' },
      { ...row, group: 'y', answer: 'Callao' },
    ];
    const table = tableOf(rows.map((each) => JSON.stringify(each)).join('\n'));
    const answers = ['x/1', 'y/1'].map(async (task) => (await replay(table, CAPITAL, [alone(0)], task)).run.answer);

    expect((await Promise.all(answers)).map((answer) => answer?.split('\n')[0])).toEqual(['Lima', 'Callao']);
  });

  test('reports the recorded cost, tokens and time', async () => {
    const { run } = await replay(TABLE, CAPITAL, [alone(0)]);

    expect(run.spent).toMatchObject({ usd: 0.002, billed: 0.002, input: 9, output: 1, unpriced: 0 });
    expect(run.time).toBeGreaterThanOrEqual(800);
    expect(isRecorded(run)).toBe(true);
  });

  test('has an unknown cost, not a cost of zero, if the table has no cost', async () => {
    const { run } = await replay(TABLE, RIVER, [alone(0)]);

    expect(run.spent).toMatchObject({ usd: 0, unpriced: 1 });
  });

  test('replays each worker’s own answer', async () => {
    const answers = await Promise.all(
      [0, 1].map(async (worker) => (await replay(TABLE, SUM, [alone(worker)])).run.answer),
    );

    expect(answers.map((answer) => answer?.split('\n')[0])).toEqual(['41', '42']);
  });

  test('is graded by its recorded score if the table has scores', async () => {
    const grader = createRecordedGrader();
    const verdicts = [0, 1].map(async (worker) => {
      const { run } = await replay(SCORE_TABLE, SUM, [alone(worker)]);
      return (await grader.grade({ question: SUM }, run.answer ?? '', signal)).correct;
    });

    expect(await Promise.all(verdicts)).toEqual([false, true]);
  });

  test('is graded by its text if the table was imported with a grader for answers', async () => {
    const table = tableOf(LINES, { by: 'answer', grader: 'exact' });
    const { run } = await replay(table, RIVER, [alone(0)]);

    expect(run.answer).toBe('The Nile');
    const [, , task] = table.tasks;
    expect(task && (await createExactGrader().grade(task, run.answer ?? '', signal))).toMatchObject({ correct: true });
  });
});

describe('a step of a recorded worker', () => {
  test.each([
    ['asks for a part of the work', 'Plan how to solve the task: name the parts. Do not solve it yet.'],
    ['asks for a check', 'Check each result against the task. Say of each whether it is right.'],
  ])('fails with the message that its subtask is not in the table, if the subtask %s', async (_, subtask) => {
    const { run } = await replay(TABLE, CAPITAL, [alone(0, subtask)]);

    expect(run.status).toBe('failed');
    expect(run.rounds[0]?.steps[0]?.fault).toMatchObject({
      code: 'question-unreadable',
      retryable: false,
      message:
        'lynx (recorded) replays an imported table. This subtask is not in the table. Use methods that make a single call.',
    });
    expect(run.spent).toMatchObject({ usd: 0, input: 0, output: 0, unpriced: 0 });
  });

  test('fails if it sees an earlier response', async () => {
    const { run } = await replay(TABLE, CAPITAL, [alone(0), { worker: 1, subtask: SOLVE, access: [0] }]);

    expect(run.rounds[0]?.steps.map(({ fault }) => fault?.code)).toEqual([undefined, 'question-unreadable']);
  });

  test('fails if the table lacks the question or the worker’s answer to the question', async () => {
    const [lynx, wren] = poolOf(TABLE);

    for (const events of [await call('Something else?', lynx), await call(RIVER, wren)]) {
      expect(events).toMatchObject([
        {
          type: 'failed',
          fault: {
            message: expect.stringContaining('The table has no answer from this worker to this question') as string,
          },
        },
      ]);
    }
    expect((await call(RIVER, lynx)).map(({ type }) => type)).toEqual(['delta', 'finished']);
  });

  test('throws an AbortError if its signal has already aborted', async () => {
    const client = createRecordedWorkers({ answers: answersOf(TABLE), clock: new FakeClock('auto') });
    const [worker] = poolOf(TABLE);
    if (!worker) throw new Error('There is no worker.');
    const options = { worker, attempt: 0, seed: 1, temperature: 0, maxTokens: 100 };
    const events = client.run([{ role: 'user', content: CAPITAL }], options, AbortSignal.abort());

    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});
