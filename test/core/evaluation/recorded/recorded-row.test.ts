import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecordedRow } from '../../../../src/core/evaluation/recorded/recorded-row';

test('reads the field names of known router benchmarks', () => {
  const row = {
    dataset_id: 'aime',
    model_name: 'lynx-7b',
    record_index: 12,
    origin_query: 'What is 2 + 2?',
    prompt: 'Question: What is 2 + 2?',
    ground_truth: '4',
    raw_output: 'The sum is 4.',
    prediction: '4',
    score: 1,
    cost: 0.0001,
    prompt_tokens: 15,
    completion_tokens: 5,
  };

  expect(readRecordedRow(row)).toEqual({
    ok: true,
    row: {
      question: 'What is 2 + 2?',
      worker: 'lynx-7b',
      taskId: '12',
      group: 'aime',
      answer: 'The sum is 4.',
      reference: '4',
      score: 1,
      usd: 0.0001,
      latency: null,
      input: 15,
      output: 5,
    },
  });
});

test('reads numbers and booleans written as text, as in CSV', () => {
  const row = {
    question: 'Q',
    worker: 'W',
    correct: 'True',
    cost: ' 0.5 ',
    latency_s: '1.5',
    input_tokens: '3',
    output_tokens: '',
  };

  expect(readRecordedRow(row)).toMatchObject({
    ok: true,
    row: { score: 1, usd: 0.5, latency: 1500, input: 3, output: null, answer: null },
  });
});

test('uses the default worker and group if a row has none', () => {
  const defaults = { worker: 'W', group: 'G' };

  expect(readRecordedRow({ question: 'Q', score: 0 }, defaults)).toMatchObject({
    ok: true,
    row: { worker: 'W', group: 'G' },
  });
  expect(readRecordedRow({ question: 'Q', score: 0, worker: 'own' }, defaults)).toMatchObject({
    row: { worker: 'own' },
  });
});

test.each([
  [{ worker: 'W', score: 1 }, 'The row has no question. It should be in one of the fields “question”'],
  [{ question: 'Q', score: 1 }, 'The row has no name of the worker. It should be in one of the fields “worker”'],
  [{ question: 'Q', worker: 'W' }, 'The row has neither an answer nor a score.'],
  [{ question: 'Q', worker: 'W', score: 'high' }, 'The field “score” should be a number, true or false.'],
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
  const read = readRecordedRow(row);

  expect(read.ok ? '' : read.message).toContain(message);
});

test('reads or rejects any row without throwing', () => {
  const names = ['question', 'worker', 'score', 'cost', 'answer', 'latency', 'id', 'prompt_tokens'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.anything()), (row) => {
      const read = readRecordedRow(row);
      if (read.ok) {
        expect(read.row.usd === null || (read.row.usd >= 0 && Number.isFinite(read.row.usd))).toBe(true);
        expect(read.row.score === null || Number.isFinite(read.row.score)).toBe(true);
      } else expect(read.message).toMatch(/\.$/);
    }),
  );
});
