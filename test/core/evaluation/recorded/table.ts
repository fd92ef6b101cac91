/**
 * @file A small made-up table of recorded outcomes. An outcome is a worker's earlier answer to a task, with the score of the
 * answer. The table has two workers and three tasks. The second worker has no outcome for the third task.
 */
import * as z from 'zod/mini';
import type { TableRow } from '../../../../src/core/contract';
import { RecordedTableReader, type RecordedGrading } from '../../../../src/core/evaluation/recorded/recorded-table';
import { suggestRecordedMap } from '../../../../src/core/evaluation/recorded/suggest-recorded-map';

export const CAPITAL = 'What is the capital of Peru?';
export const SUM = 'What is 19 + 23?';
export const RIVER = 'Which river flows through Cairo?';

const ROWS = [
  {
    id: 'a',
    question: CAPITAL,
    worker: 'lynx',
    answer: 'Lima',
    reference: 'Lima',
    score: 1,
    cost: 0.002,
    latency_ms: 800,
    input_tokens: 9,
    output_tokens: 1,
  },
  { id: 'b', question: SUM, worker: 'lynx', answer: '41', reference: '42', score: 0, cost: 0.003 },
  { id: 'c', question: RIVER, worker: 'lynx', answer: 'The Nile', reference: 'The Nile', score: 0.5 },
  { id: 'a', question: CAPITAL, worker: 'wren', answer: 'Cusco', reference: 'Lima', score: 0, cost: 0.0001 },
  { id: 'b', question: SUM, worker: 'wren', answer: '42', reference: '42', score: 1, cost: 0.0002 },
];

export const LINES = ROWS.map((row) => JSON.stringify(row)).join('\n');
const SCORE_LINES = ROWS.map(({ answer: _answer, ...row }) => JSON.stringify(row)).join('\n');

export const BY_SCORE: RecordedGrading = { by: 'score', passMark: 1 };

const rowSchema = z.record(z.string(), z.unknown());

export function rowsOf(lines: string): TableRow[] {
  return lines.split('\n').map((line) => rowSchema.parse(JSON.parse(line)));
}

export function tableOf(lines: string, grading: RecordedGrading = BY_SCORE) {
  const preview = rowsOf(lines);
  const reader = new RecordedTableReader({ map: suggestRecordedMap({ columns: [], preview }), grading });
  reader.add({ rows: preview.map((value, index) => ({ row: index + 1, value })), problems: [] });
  return reader.finish();
}

export const TABLE = tableOf(LINES);
export const SCORE_TABLE = tableOf(SCORE_LINES);
