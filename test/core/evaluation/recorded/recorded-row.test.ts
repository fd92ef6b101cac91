import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TableRow } from '../../../../src/core/contract';
import type { RecordedMap } from '../../../../src/core/evaluation/recorded/recorded-map';
import { readRecordedRow } from '../../../../src/core/evaluation/recorded/recorded-row';

const MAP: RecordedMap = {
  question: 'question',
  taskId: 'id',
  group: 'group',
  reference: 'reference',
  worker: 'worker',
  workers: [],
  answer: 'answer',
  score: 'score',
  usd: 'cost',
  milliseconds: null,
  seconds: 'latency',
  input: 'input_tokens',
  output: 'output_tokens',
};

const read = (row: TableRow, map: Partial<RecordedMap> = {}) => readRecordedRow(row, { ...MAP, ...map });

test('reads numbers and booleans written as text, as in CSV', () => {
  const row = {
    question: 'Q',
    worker: 'W',
    score: 'True',
    cost: ' 0.5 ',
    latency: '1.5',
    input_tokens: '3',
    output_tokens: 'NaN',
  };

  expect(read(row)).toMatchObject({
    outcomes: [{ score: 1, usd: 0.5, latency: 1500, input: 3, output: null, answer: null }],
    problems: [],
  });
});

test('reads an outcome of each worker, and skips only the outcome that has a wrong value', () => {
  const row = { question: 'Q', owl: 1, lynx: 'high', wren: null };
  const map = { worker: null, workers: ['owl', 'lynx', 'wren'], score: '{{worker}}', answer: '{{worker}}_text' };

  expect(read({ ...row, owl_text: 'A' }, map)).toMatchObject({
    outcomes: [{ worker: 'owl', score: 1, answer: 'A' }],
    problems: ['The field “lynx” should be a number, or a verdict such as true or false.'],
  });
});

test.each([
  [{ worker: 'W', score: 1 }, 'The field “question”, which has the question, is empty or missing.'],
  [{ question: 'Q', score: 1 }, 'The field “worker”, which has the name of the worker, is empty or missing.'],
  [{ question: 'Q', worker: 'W' }, 'The row has neither an answer nor a score.'],
  [{ question: 'Q', worker: 'W', score: 'high' }, 'The field “score” should be a number, or a verdict'],
  [
    { question: 'Q', worker: 'W', score: 1, cost: -1 },
    'The field “cost” should be an amount of US dollars, zero or more.',
  ],
  [
    { question: 'Q', worker: 'W', score: 1, input_tokens: 1.5 },
    'The field “input_tokens” should be a whole number of tokens',
  ],
  [
    { question: 'Q', worker: 'W', score: 1, latency: 1e6 },
    'The field “latency” should be a time in seconds, at most a day.',
  ],
  [
    { question: { text: 'Q' }, worker: 'W', score: 1 },
    'The field “question” should be a text of at most 200,000 characters.',
  ],
])('rejects %j with a message that states the reason', (row, message) => {
  const { outcomes, problems } = read(row);

  expect(outcomes).toEqual([]);
  expect(problems[0]).toContain(message);
});

test('reads or rejects any row without throwing', () => {
  const names = ['question', 'worker', 'score', 'cost', 'answer', 'latency', 'id', 'prompt_tokens'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.anything()), (row) => {
      const { outcomes, problems } = read(row);
      for (const { usd, score } of outcomes) {
        expect(usd === null || (usd >= 0 && Number.isFinite(usd))).toBe(true);
        expect(score === null || Number.isFinite(score)).toBe(true);
      }
      if (outcomes.length === 0) expect(problems[0]).toMatch(/\.$/);
    }),
  );
});
