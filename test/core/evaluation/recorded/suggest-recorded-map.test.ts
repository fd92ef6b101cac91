import { describe, expect, test } from 'vitest';
import type { TableRow } from '../../../../src/core/contract';
import { readRecordedRow } from '../../../../src/core/evaluation/recorded/recorded-row';
import { suggestRecordedMap } from '../../../../src/core/evaluation/recorded/suggest-recorded-map';

/** The suggested columns of a table, and the outcomes of its first row, as `worker: score, answer, usd`. */
function read(rows: readonly TableRow[], fileName = 'table.csv') {
  const map = suggestRecordedMap({ columns: [], preview: rows, source: { kind: 'file', name: fileName } });
  const [row = {}] = rows;
  const { outcomes, problems } = readRecordedRow(row, map);
  const shown = outcomes.map(({ worker, score, answer, usd }) => [worker, score, answer, usd]);
  return { map, outcomes: shown, first: outcomes[0], problems };
}

describe('a table with one row for each task', () => {
  test('and a column of verdicts, of answers and of costs for each worker', () => {
    const { outcomes, first } = read([
      {
        sample_id: 'sums.1',
        prompt: 'What is 2 + 2?',
        eval_name: 'sums',
        'owl/Owl-7B': '1.0',
        'lynx-v1': '0.0',
        'owl/Owl-7B|model_response': 'It is 4.',
        'lynx-v1|model_response': 'It is 5.',
        'owl/Owl-7B|total_cost': '0.0002',
        'lynx-v1|total_cost': '3e-05',
        oracle_model_to_route_to: 'owl/Owl-7B',
      },
    ]);
    expect(outcomes).toEqual([
      ['owl/Owl-7B', 1, 'It is 4.', 0.0002],
      ['lynx-v1', 0, 'It is 5.', 0.00003],
    ]);
    expect(first).toMatchObject({ question: 'What is 2 + 2?', taskId: 'sums.1', group: 'sums' });
  });

  test('and an object with the solution of each worker', () => {
    const { outcomes } = read([
      {
        question: 'What is 2 + 2?',
        ground_truth: 'A: 4',
        lynx: { is_correct: false, solution: 'A: 5' },
        wren: { is_correct: true, solution: 'A: 4' },
      },
    ]);
    expect(outcomes).toEqual([
      ['lynx', 0, 'A: 5', null],
      ['wren', 1, 'A: 4', null],
    ]);
  });

  test.each([
    ['True and False', { prompt: 'Q', lynx: 'True', wren: 'False' }],
    ['booleans', { prompt: 'Q', lynx: true, wren: false }],
    ['0 and 1', { prompt: 'Q', lynx: 1, wren: 0 }],
    ['words', { prompt: 'Q', lynx: 'Correct', wren: 'incorrect' }],
    ['named columns', { prompt: 'Q', lynx_is_correct: 1, wren_is_correct: 0 }],
    ['names before the worker', { prompt: 'Q', 'score:lynx': 1, 'score:wren': 0, 'cost:lynx': 0.1 }],
    ['keys of an object', { prompt: 'Q', scores: { lynx: 1, wren: 0 }, costs: { lynx: 0.1 } }],
    ['keys of an object in JSON', { prompt: 'Q', scores: '{"lynx": 1, "wren": 0}' }],
    ['keys of an object as Python prints it', { prompt: 'Q', scores: "{'lynx': True, 'wren': False}" }],
    ['objects for each worker', { prompt: 'Q', results: { lynx: { score: 1, cost: 2 }, wren: { score: 0 } } }],
    ['columns with objects', { prompt: 'Q', lynx: { score: 1, cost: 2 }, wren: { score: 0 } }],
  ])('with verdicts as %s', (_, row) => {
    expect(read([row]).outcomes.map(([worker, score]) => [worker, score])).toEqual([
      ['lynx', 1],
      ['wren', 0],
    ]);
  });

  test('whose workers have dots in their names', () => {
    const row = {
      query: 'Q',
      records: { 'owl-2.5.1': 1, 'owl-2.5': 0.5 },
      usages: { 'owl-2.5.1': { cost: 0.2, prompt_tokens: 7, completion_tokens: 3 }, 'owl-2.5': { cost: 0.1 } },
    };
    const { outcomes, first } = read([row]);
    expect(outcomes).toEqual([
      ['owl-2.5.1', 1, null, 0.2],
      ['owl-2.5', 0.5, null, 0.1],
    ]);
    expect(first).toMatchObject({ input: 7, output: 3 });
  });

  test('and only answers, beside the right answer', () => {
    const { outcomes, first } = read([{ question: 'Q', answer: '4', 'owl/owl-7b': 'It is 4.', 'lynx-1': 'Five.' }]);
    expect(outcomes).toEqual([
      ['owl/owl-7b', null, 'It is 4.', null],
      ['lynx-1', null, 'Five.', null],
    ]);
    expect(first?.reference).toBe('4');
  });

  test('ignores columns of other numbers, and outcomes that a worker lacks', () => {
    const rows = [
      {
        'Unnamed: 0': 0,
        question: 'Q',
        level: 1,
        has_image: false,
        lynx: 'nan',
        wren: 0,
        lynx_cost: '',
        wren_cost: 0.5,
      },
      { 'Unnamed: 0': 7, question: 'R', level: 4, has_image: true, lynx: 1, wren: 1, lynx_cost: 0.5, wren_cost: 0.5 },
    ];
    expect(read(rows)).toMatchObject({ outcomes: [['wren', 0, null, 0.5]], problems: [] });
  });
});

describe('a table with one row for each outcome', () => {
  test('of a known router benchmark', () => {
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
    expect(read([row]).first).toEqual({
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
    });
  });

  test('takes the worker’s name rather than its number, and a verdict named label', () => {
    const row = {
      prompt_id: 3,
      model_id: 17,
      label: 1,
      prompt: 'Q',
      model_name: 'lynx',
      category: 'law',
      category_id: 0,
    };
    const { outcomes, first } = read([row]);
    expect(outcomes).toEqual([['lynx', 1, null, null]]);
    expect(first).toMatchObject({ taskId: '3', group: 'law' });
  });

  test('takes “answer” as the reference beside another answer', () => {
    const { first } = read([{ question: 'Q', model: 'lynx', answer: '4', response: 'It is 4.', is_correct: true }]);
    expect(first).toMatchObject({ answer: 'It is 4.', reference: '4', score: 1 });
    expect(read([{ question: 'Q', model: 'lynx', answer: '4', reference: '4' }]).first?.answer).toBe('4');
  });

  test('of a single worker has the name of the file', () => {
    const row = { question: 'Q', response: 'A', score: 1, score_style: 0.5 };
    expect(read([row], 'lynx-7b.jsonl.gz').outcomes).toEqual([['lynx-7b', 1, 'A', null]]);
  });
});

test.each(['generation', 'generated_text', 'pred', 'model_answer'])(
  'takes the worker’s answer from %s, and the right one from answer',
  (name) => {
    const { first } = read([{ question: 'Q', answer: 'I', answer_index: 8, cot_content: '', [name]: 'It is B.' }]);
    expect(first).toMatchObject({ answer: 'It is B.', reference: 'I' });
  },
);

test('a column with the ids of answers belongs to no worker', () => {
  const choices = [{ index: 0, turns: ['Aloha!'] }];
  const { map } = read([{ question_id: 81, answer_id: 'gdYj', model_id: 'lynx', choices, tstamp: 17.5 }]);
  expect(map).toMatchObject({ worker: 'model_id', workers: [], answer: null, taskId: 'question_id' });
});
