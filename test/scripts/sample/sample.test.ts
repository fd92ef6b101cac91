import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeSample } from '../../../scripts/sample/make-sample';
import { sampleFile } from '../../../scripts/sample/sample-file';
import { RunTable } from '../../../src/core/analysis/columns/run-table';
import { FIGURES } from '../../../src/core/analysis/figures';
import { indexRun } from '../../../src/core/analysis/index-run';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import {
  countedGrade,
  foldEvents,
  isSampleRun,
  isSimulated,
  MOST_SAMPLE_RUNS,
  SAMPLE_LABEL,
  type Run,
  type StoredEvent,
} from '../../../src/core/contract';
import { gradedTruth } from '../../../src/core/runs/graded-checks';
import { parseRunValue, VerifiedTexts } from '../../../src/platform/store/run-file';

const packed = readFileSync('sample/archive.podium.bin');
const text = gunzipSync(packed).toString();
let made: StoredEvent[][] = [];
let runs: Run[] = [];

beforeAll(async () => {
  const checkpoint: unknown = JSON.parse(readFileSync('models/policy/checkpoint.json', 'utf8'));
  made = await makeSample(createPolicyConductor(checkpoint));
  runs = made.flatMap((events) => foldEvents(events) ?? []);
});

describe('the sample archive', () => {
  test('contains exactly the runs that `npm run sample` would write now (if this test fails, run that command)', () => {
    const lines = sampleFile(made).split('\n');
    const stored = text.split('\n');
    expect(stored.length).toBe(lines.length);
    for (const [index, line] of lines.entries())
      expect(stored[index] === line, `run ${index + 1} is the same`).toBe(true);
  });

  test('is at most 200 kB', () => {
    expect(packed.length).toBeLessThanOrEqual(200_000);
  });

  test('can be imported without a problem', () => {
    const verified = new VerifiedTexts();
    for (const line of text.trim().split('\n')) {
      const value: unknown = JSON.parse(line);
      expect(parseRunValue(value, verified)).toMatchObject({ ok: true });
    }
  });

  test('contains only simulated runs with the sample label and with ids of sample runs', () => {
    expect(runs.length).toBeGreaterThan(30);
    expect(runs.length).toBeLessThanOrEqual(MOST_SAMPLE_RUNS);
    for (const run of runs) {
      expect(isSampleRun(run.id)).toBe(true);
      expect(run.labels).toContain(SAMPLE_LABEL);
      expect(isSimulated(run)).toBe(true);
    }
    expect(isSampleRun('0b1c3ab2')).toBe(false);
  });

  test('has failed, interrupted, forked, wrong and annotated runs, second rounds, retries, and at least 10 Conductors', () => {
    const has = (test: (run: Run) => boolean) => expect(runs.some(test)).toBe(true);
    has(({ status }) => status === 'failed');
    has(({ status }) => status === 'interrupted');
    has(({ parent }) => parent !== null);
    has(({ rounds }) => rounds.length > 1);
    has(({ grade }) => grade?.correct === false);
    has(({ annotation }) => annotation.note !== '' && annotation.title !== '');
    has(({ rounds }) => rounds.some(({ steps }) => steps.some(({ attempts }) => attempts.length > 1)));
    expect(new Set(runs.map(({ conductor }) => conductor.label)).size).toBeGreaterThanOrEqual(10);
  });

  test('has enough runs for every plot of the Analyze page', () => {
    const table = new RunTable();
    for (const [index, run] of runs.entries()) {
      table.add(indexRun(run, gradedTruth(run, run.grade?.correct ?? null)).run, index);
    }
    const empty = Object.entries(FIGURES).filter(([, figure]) => !figure(table, table.live()).isEnough);
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  test('has only runs that started before 20 November 2026', () => {
    for (const { startedAt } of runs) expect(startedAt).toBeLessThan(Date.UTC(2026, 10, 20));
  });

  test('has only grades that do not count after an import, unless the user counts imported grades', () => {
    for (const { grade } of runs)
      if (grade) expect(countedGrade({ early: null, grade: { ...grade, imported: true } }, false)).toBeNull();
  });
});
