import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { EXPORT_TABLES } from '../../../../src/core/analysis/exports/tables';
import type { ExportTableName } from '../../../../src/core/contract';
import { exportedRun, GRADE, recordOf } from './exported-run';

const NAMES: readonly ExportTableName[] = ['runs', 'steps', 'events'];
const TITLES = { runs: 'Runs table', steps: 'Steps table', events: 'Events table' };

function rowsOf(name: ExportTableName, events = exportedRun('run-1', [GRADE])) {
  const { columns, rowsOf: rows } = EXPORT_TABLES[name];
  return rows(recordOf(events)).map((row) =>
    Object.fromEntries(columns.map((column, index) => [column.name, row[index]])),
  );
}

describe('the documentation of exported tables', () => {
  it.each(NAMES)('lists every column of the table of %s with its type and meaning', (name) => {
    const { about, columns } = EXPORT_TABLES[name];
    const page = readFileSync('docs/files.md', 'utf8');
    const [, section = ''] = page.split(`### ${TITLES[name]}\n`);
    const [head = ''] = section.split(/\n#/);
    const expected = [
      about,
      '',
      '| Column | Type | Meaning |',
      '| --- | --- | --- |',
      ...columns.map((column) => `| \`${column.name}\` | ${column.type} | ${column.about} |`),
    ];
    // After a column has changed, paste the expected text into docs/files.md.
    expect(head.trim().replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')).toBe(
      expected.join('\n').replaceAll(/ +/g, ' '),
    );
  });
});

describe('the table of runs', () => {
  it('has separate columns for validity, grade and reward, and no total cost if the cost of a call is unknown', () => {
    expect(rowsOf('runs')).toEqual([
      expect.objectContaining({
        run_id: 'run-1',
        status: 'failed',
        fault_code: 'overloaded',
        conductor_model: 'planner-1',
        shape: 'chain',
        rounds: 1,
        steps: 2,
        valid_plan: true,
        correct: true,
        graded_by: 'person',
        reward: 1,
        usd: null,
        usd_known: 0.003,
        unpriced_calls: 2,
        labels: '[]',
      }),
    ]);
  });

  it('names no grader if the grade was removed', () => {
    const [row] = rowsOf('runs', exportedRun('run-1', [GRADE, { ...GRADE, correct: null }]));
    expect(row).toMatchObject({ correct: null, graded_by: null, grade_imported: null, reward: null });
  });
});

describe('the table of steps', () => {
  it('has the number of attempts and the tokens of a step, and the times of its last attempt', () => {
    expect(rowsOf('steps')).toMatchObject([
      {
        step: 0,
        role: 'solve',
        access: '[]',
        worker: 'Alder',
        model: 'large-1',
        provider: 'mistral_ai',
        origin: 'https://api.mistral.ai',
        attempts: 2,
        latency_ms: 200,
        time_to_first_ms: 100,
        input_tokens: 10,
        reasoning_tokens: 3,
        cached_tokens: 4,
        usd: null,
        finish_reason: 'length',
        output: 'forty',
      },
      { step: 1, role: 'verify', access: '[0]', status: 'failed', provider: null, fault_code: 'overloaded', usd: null },
    ]);
  });
});

describe('the columns of checks in the table of steps', () => {
  it('have the verdicts of a check, and the source and evidence of a settled step', () => {
    const key = { round: 0, step: 1 } as const;
    const events = exportedRun().map((event) =>
      event.type === 'step-failed' ? { ...event, type: 'step-settled' as const, ...SETTLED, ...key } : event,
    );
    const checked = events.map((event) =>
      event.type === 'step-finished' ? { ...event, verdicts: [{ step: 0, verdict: 'unsure' as const }] } : event,
    );
    expect(rowsOf('steps', checked)).toMatchObject([
      { verdicts: '[{"step":0,"verdict":"unsure"}]', settled_from: null, settled_by: null },
      { status: 'settled', output: 'forty', verdicts: null, settled_from: 0, settled_by: '[0]' },
    ]);
    expect(rowsOf('steps')[0]).toMatchObject({ verdicts: null, settled_from: null, settled_by: null });
  });
});

const SETTLED = { output: 'forty', from: 0, evidence: [0] };

describe('the token columns in the table of steps', () => {
  it('are the sum of all attempts, including attempts that failed', () => {
    const events = exportedRun().map((event) =>
      event.type === 'step-retried' ? { ...event, usage: { input: 7, output: 2, reasoning: 1 } } : event,
    );
    expect(rowsOf('steps', events)[0]).toMatchObject({ input_tokens: 17, output_tokens: 7, reasoning_tokens: 4 });
  });

  it('are empty for reasoning and cached tokens if no call reported them', () => {
    const events = exportedRun().map((event) =>
      event.type === 'step-finished' ? { ...event, usage: { input: 10, output: 5 } } : event,
    );
    expect(rowsOf('steps', events)[0]).toMatchObject({
      input_tokens: 10,
      output_tokens: 5,
      reasoning_tokens: null,
      cached_tokens: null,
      tokens_estimated: false,
    });
  });
});

describe('the table of events', () => {
  it('contains every field of every event', () => {
    const events = exportedRun();
    const rows = rowsOf('events', events);
    const again = rows.map(({ run_id, seq, at, segment, elapsed_ms, type, data }) => ({
      ...z.record(z.string(), z.unknown()).parse(JSON.parse(String(data))),
      ...{ runId: run_id, seq, at, segment, elapsed: elapsed_ms, type },
    }));
    expect(again).toEqual(JSON.parse(JSON.stringify(events)));
  });
});
