import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultError, type Batch, type Outcome } from '../../../../src/core/contract';
import { readBatchFile, writeBatchFile } from '../../../../src/core/evaluation/tables/batch-file';
import { batchPlan, outcome, storedBatch } from '../../../fixtures/evaluation/batches';

const options = { app: '9.9.9', exportedAt: 1_770_000_000_000 };
const outcomes = [
  outcome(true, { runId: 'run-1', batchId: '1' }),
  outcome(null, {
    batchId: '1',
    taskId: 't1',
    fault: { code: 'timeout', message: 'It took too long.', retryable: true, detail: 'quoted text' },
  }),
];
const write = (batch: Batch = storedBatch('1'), all: readonly Outcome[] = outcomes) =>
  writeBatchFile(batch, all, options);
const refusal = (text: string) => {
  try {
    readBatchFile(text, 'new');
    return 'read';
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    expect(thrown.fault.code).toBe('bad-request');
    return thrown.fault.message;
  }
};

describe('a results file of a batch', () => {
  it('is imported as a batch with a new id, marked as imported, without references to runs', () => {
    const { batch, outcomes: found, app } = readBatchFile(write(), 'new');
    expect(app).toBe('9.9.9');
    expect(batch).toEqual({ ...storedBatch('1'), id: 'new', isImported: true });
    expect(found).toEqual(outcomes.map(({ runId: _runId, ...each }) => ({ ...each, batchId: 'new' })));
  });

  it('keeps the cost of the judge, and the number of calls whose cost is unknown', () => {
    const costs = { usd: 0.02, unpriced: 3, judge: { usd: 0.01, unpriced: 1 } };
    expect(readBatchFile(write(storedBatch('1'), [outcome(true, costs)]), 'new').outcomes).toMatchObject([costs]);
  });

  it('from an older version of Podium gets one call of unknown cost for each result without a cost', () => {
    const text = write().replaceAll('"usd":0.01', '"usd":null');
    const found = readBatchFile(text, 'new').outcomes;
    expect(found.map(({ usd, unpriced }) => [usd, unpriced])).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('is imported even if it has no outcomes', () => {
    expect(readBatchFile(write(storedBatch('1'), []), 'new').outcomes).toEqual([]);
  });

  it('contains no details from answers to tasks of confidential datasets', () => {
    const [open] = batchPlan().datasets;
    const plan = batchPlan({ datasets: open ? [{ ...open, isConfidential: true }] : [] });
    const text = write(storedBatch('1', { plan }));
    expect(text).not.toContain('Found 4.');
    expect(text).not.toContain('quoted text');
    expect(readBatchFile(text, 'new').outcomes[0]?.verdicts).toEqual({ strict: { correct: true, detail: '' } });
  });

  it('is rejected with a message if it is incomplete, damaged, too new or in another format', () => {
    const text = write();
    expect(refusal(text.slice(0, -20))).toMatch(/incomplete or is not JSON/);
    expect(refusal('')).toMatch(/incomplete or is not JSON/);
    expect(refusal('{"format":"podium-run","version":1}')).toMatch(/no results of a batch/);
    expect(refusal('[1]')).toMatch(/no results of a batch/);
    expect(refusal(text.replace('"version":1', '"version":2'))).toMatch(/newer version/);
    expect(refusal(text.replace('"repeats":1', '"repeats":"one"'))).toMatch(/damaged/);
    expect(refusal(text.replace('"status":"graded"', '"status":"won"'))).toMatch(/damaged/);
    expect(refusal(text.replace('"name":"Batch 1"', '"__proto__":{"a":1},"name":"Batch 1"'))).toMatch(/damaged/);
  });

  it('is rejected if its outcomes do not match its plan', () => {
    for (const wrong of [{ dataset: 1 }, { method: 2 }, { repeat: 1 }, { taskId: 't9' }]) {
      expect(refusal(write(storedBatch('1'), [outcome(true, wrong)]))).toMatch(/match its plan/);
    }
    expect(refusal(write(storedBatch('1'), [outcome(true), outcome(false)])), 'the same unit twice').toMatch(
      /match its plan/,
    );
  });

  it('is either read or rejected with a message after a random cut or change', () => {
    const text = write();
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.constantFrom('', '"', '{', '0', 'x'), (at, put) => {
        const answer = refusal(text.slice(0, at) + put + text.slice(at + 1));
        expect(answer === 'read' || answer.endsWith('.')).toBe(true);
        expect(refusal(text.slice(0, at))).toMatch(/incomplete/);
      }),
      { numRuns: 300 },
    );
  });
});
