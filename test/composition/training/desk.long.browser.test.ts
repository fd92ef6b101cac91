/** @file Tests the training and comparison of policies in a real Web Worker, from the start to the last report. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { writeCheckpoint } from '../../../src/core/policy/checkpoint';
import type { Order, TrainingReport } from '../../../src/core/training/orders';
import { createTrainingDesk } from '../../../src/composition/training/desk';
import { SMALL_TRAINING } from '../../core/training/society';

const policy = (seed: number, revision: string) =>
  writeCheckpoint(initialParameters({ width: 8 }, seededRandom(seed)), revision);
const file = policy(1, 'start');
/** Gives more right answers than `file`, at least with the seed of `comparison`. */
const better = policy(3, 'better');
const training: Order = {
  kind: 'train',
  seed: 3,
  updates: 3,
  loss: 'paper',
  start: null,
  own: [],
  revision: 'small',
  scale: SMALL_TRAINING,
};
const comparison: Order = {
  kind: 'compare',
  seed: 3,
  candidate: better,
  inUse: file,
  scale: { items: 12, workers: 12, runs: 60, questions: 10 },
};

async function gather(reports: AsyncIterable<TrainingReport>): Promise<TrainingReport[]> {
  const all: TrainingReport[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

describe('createTrainingDesk', () => {
  const { signal } = new AbortController();

  it('trains in a Web Worker, and reports each update and an improved checkpoint', { timeout: 240_000 }, async () => {
    const reports = await gather(createTrainingDesk().carryOut(training, signal));
    expect(reports.flatMap((report) => (report.type === 'updated' ? [report.figures.update] : []))).toEqual([1, 2, 3]);
    expect(reports.find((report) => report.type === 'improved')?.checkpoint.revision).toMatch(/^small-\d$/);
  });

  it('compares two policies in a Web Worker, and reports the lead of the candidate', { timeout: 120_000 }, async () => {
    const resultOf = async (order: Order) => {
      const reports = await gather(createTrainingDesk().carryOut(order, signal));
      expect(reports.flatMap((report) => (report.type === 'played' ? [report.done] : []))).toEqual([
        ...Array(13).keys(),
      ]);
      const heldOut = reports.find((report) => report.type === 'compared')?.heldOut;
      if (!heldOut) throw new Error('There is no result.');
      return heldOut;
    };
    const { candidate, inUse } = await resultOf(comparison);
    expect(inUse.revision).toBe('start');
    expect(inUse.lead.mean).toBeGreaterThan(0);
    expect(inUse.lead.mean).toBeCloseTo(candidate.right.mean - inUse.right.mean, 9);

    const swapped = await resultOf({ ...comparison, candidate: file, inUse: better });
    expect(swapped.inUse.revision).toBe('better');
    expect(swapped.inUse.lead.mean).toBeCloseTo(-inUse.lead.mean, 9);
    expect(swapped.inUse).toMatchObject({ right: candidate.right, calls: candidate.calls });
    expect(swapped.candidate).toMatchObject({ right: inUse.right, calls: inUse.calls });
  });
});
