import { describe, expect, test } from 'vitest';
import { recordedDataset, RecordedTableReader } from '../../../../src/core/evaluation/recorded/recorded-table';
import { isRecordedRight } from '../../../../src/core/graders/recorded-score';
import { recordedPoolWorkers } from '../../../../src/core/evaluation/recorded/recorded-pool';
import { suggestRecordedMap } from '../../../../src/core/evaluation/recorded/suggest-recorded-map';
import { BY_SCORE, CAPITAL, LINES, RIVER, SUM, TABLE, tableOf } from './table';

const FILE = { name: 'Made-up', source: { kind: 'file', name: 'table.jsonl' }, addedAt: 5 } as const;

describe('a table of recorded outcomes', () => {
  test('becomes a dataset with one task for each question', () => {
    expect(TABLE.problems).toEqual([]);
    expect(TABLE.tasks.map(({ id, question, grader, reference }) => [id, question, grader, reference])).toEqual([
      ['a', CAPITAL, 'recorded', 'Lima'],
      ['b', SUM, 'recorded', '42'],
      ['c', RIVER, 'recorded', 'The Nile'],
    ]);
    const dataset = recordedDataset(TABLE, FILE);
    expect(dataset).toMatchObject({
      name: 'Made-up',
      tasks: 3,
      recordedWorkers: ['lynx', 'wren'],
      graders: ['recorded'],
      groups: [],
      addedAt: 5,
    });
    expect(dataset.revision).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is confidential if one of its rows belongs to GPQA', () => {
    const row = { question: 'Q', worker: 'lynx', score: 1 };
    const dataset = (...rows: readonly object[]) =>
      recordedDataset(tableOf(rows.map((each) => JSON.stringify(each)).join('\n')), FILE);
    expect(dataset(row).isConfidential).toBe(false);
    expect(dataset(row, { ...row, question: 'Another', dataset: 'gpqa' }).isConfidential).toBe(true);
    const canary = 'gpqa:0000:00000000-0000-0000-0000-000000000000';
    expect(dataset(row, { ...row, question: `Another ${canary}` }).isConfidential).toBe(true);
  });

  test('becomes a pool whose workers are labeled as recorded', () => {
    expect(recordedPoolWorkers(TABLE.workers, { id: 'made-up', name: 'Made-up' })).toMatchObject([
      {
        id: 'recorded:made-up:lynx',
        name: 'lynx (recorded)',
        mark: 'Ly',
        kind: 'recorded',
        model: 'lynx',
        origin: null,
      },
      {
        id: 'recorded:made-up:wren',
        name: 'wren (recorded)',
        mark: 'Wr',
        kind: 'recorded',
        model: 'wren',
        origin: null,
      },
    ]);
  });

  test('gives workers with similar names different two-letter abbreviations', () => {
    const workers = recordedPoolWorkers(['model-a', 'model-b', 'mo'], { id: 'made-up', name: 'Made-up' });

    expect(workers.map(({ mark }) => mark)).toEqual(['Mo', 'Md', 'M1']);
  });

  test('puts the group into a task’s id, because rows of different groups can have the same id', () => {
    const row = { id: 1, worker: 'lynx', score: 1 };
    const lines = [
      { ...row, question: 'First?', dataset: 'x' },
      { ...row, question: 'Second?', dataset: 'y' },
    ].map((each) => JSON.stringify(each));
    const { tasks, problems } = tableOf(lines.join('\n'));

    expect(problems).toEqual([]);
    expect(tasks.map(({ id, group }) => [id, group])).toEqual([
      ['x/1', 'x'],
      ['y/1', 'y'],
    ]);
  });
});

test('equal questions of different groups become different tasks', () => {
  const row = { question: 'Q', worker: 'lynx' };
  const lines = [
    { ...row, dataset: 'x', score: 1 },
    { ...row, dataset: 'y', score: 0 },
  ].map((each) => JSON.stringify(each));
  const { tasks, problems } = tableOf(lines.join('\n'));

  expect(problems).toEqual([]);
  expect(tasks.map(({ group, recorded }) => [group, recorded?.map(({ text }) => isRecordedRight(text))])).toEqual([
    ['x', [true]],
    ['y', [false]],
  ]);
});

describe('bad rows', () => {
  test('are counted by reason in the order of the file, and the other rows are kept', () => {
    const good = { question: 'Q', worker: 'lynx', score: 1 };
    const map = suggestRecordedMap({ columns: [], preview: [good] });
    const reader = new RecordedTableReader({ map, grading: BY_SCORE });
    const { question: _question, ...bad } = good;
    reader.add({ rows: [{ row: 1, value: bad }], problems: [{ row: 2, message: 'Torn.' }] });
    reader.add({
      rows: [
        { row: 3, value: good },
        { row: 4, value: bad },
      ],
      problems: [],
    });
    const { problems, tasks } = reader.finish();

    expect(problems).toEqual([
      { row: 1, rows: 2, message: 'The field “question”, which has the question, is empty or missing.' },
      { row: 2, rows: 1, message: 'Torn.' },
    ]);
    expect(tasks).toHaveLength(1);
  });

  test('that repeat a worker’s outcome for a task are skipped', () => {
    const again = JSON.stringify({ id: 'a', question: ` ${CAPITAL}\n`, worker: 'lynx', answer: 'Quito', score: 0 });
    const { problems, tasks } = tableOf(`${LINES}\n${again}`);

    const message = 'An earlier row already has the outcome of this worker on this task. The earlier row is used.';
    expect(problems).toEqual([{ row: 6, rows: 1, message }]);
    expect(tasks.find(({ question }) => question === CAPITAL)?.recorded?.map(({ worker }) => worker)).toEqual([
      'lynx',
      'wren',
    ]);
  });

  test('that use the id of another question are skipped', () => {
    const other = JSON.stringify({ id: 'a', question: 'Something else?', worker: 'wren', score: 1 });

    expect(tableOf(`${LINES}\n${other}`).problems).toEqual([
      { row: 6, rows: 1, message: 'The task id already belongs to another question in an earlier row.' },
    ]);
  });

  test('are skipped if they lack the score, answer or reference that the grading needs', () => {
    const onlyAnswer = JSON.stringify({ question: 'Q', worker: 'lynx', answer: 'A' });
    const onlyScore = JSON.stringify({ question: 'Q', worker: 'lynx', score: 1 });
    const byAnswer = { by: 'answer', grader: 'exact' } as const;

    expect(tableOf(onlyAnswer, BY_SCORE).problems[0]?.message).toContain('has no score');
    expect(tableOf(onlyScore, byAnswer).problems[0]?.message).toContain('has no answer text');
    expect(tableOf(onlyAnswer, byAnswer).problems[0]?.message).toContain('has no reference');
    expect(tableOf(onlyAnswer, { by: 'answer', grader: 'puzzle' }).problems).toEqual([]);
  });

  test('are skipped if an earlier row of the same question has another reference', () => {
    const other = JSON.stringify({ question: CAPITAL, worker: 'third', answer: 'Lima', reference: 'Quito' });
    const { problems, tasks } = tableOf(`${LINES}\n${other}`, { by: 'answer', grader: 'exact' });

    expect(problems[0]?.message).toBe('The reference differs from that of an earlier row with the same question.');
    expect(tasks.map(({ grader }) => grader)).toEqual(['exact', 'exact', 'exact']);
  });

  test('create no task and no worker', () => {
    const table = tableOf('{"question":"Q","worker":"lynx","score":"?"}');

    expect(table).toMatchObject({ tasks: [], workers: [] });
  });
});
