/** @file A small training from order to candidate, and what goes over the border between page and Worker. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { initialParameters, readCheckpoint, writeCheckpoint } from '../../../src/core/policy';
import { LOSSES } from '../../../src/core/training/grpo';
import {
  LOSS_NAMES,
  readOrder,
  readReport,
  type TrainingOrder,
  type TrainingReport,
} from '../../../src/core/training/orders';
import { compareHeldOut, train } from '../../../src/core/training/session';
import { SMALL_TRAINING } from './society';

const { signal } = new AbortController();
const start = writeCheckpoint(initialParameters({ width: 8 }, seededRandom(1)), 'start');
const order: TrainingOrder = {
  kind: 'train',
  seed: 3,
  updates: 3,
  loss: 'default',
  start: null,
  own: [],
  revision: 'test',
  scale: SMALL_TRAINING,
};

async function gather(reports: AsyncIterable<TrainingReport>): Promise<TrainingReport[]> {
  const all: TrainingReport[] = [];
  for await (const report of reports) {
    // As it goes from the Worker to the page.
    all.push(readReport(structuredClone(report)));
  }
  return all;
}

describe('a training', () => {
  it('tells of every update and hands the best so far out', { timeout: 120_000 }, async () => {
    const reports = await gather(train(order, signal));
    const types = reports.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['began', 'began']);
    expect(types.filter((type) => type === 'updated')).toHaveLength(3);
    expect(types.filter((type) => type === 'validated')).toHaveLength(3);
    expect(types.at(-1)).toBe('finished');
    const best = reports.findLast((report) => report.type === 'improved');
    expect(best && readCheckpoint(best.checkpoint)?.revision).toBe(`test-${best?.update}`);
  });

  it('goes on from weights without the supervised start', { timeout: 120_000 }, async () => {
    const reports = await gather(train({ ...order, start, updates: 1 }, signal));
    expect(reports.flatMap((report) => (report.type === 'began' ? [report.phase] : []))).toEqual([
      'drawing',
      'updates',
    ]);
    const validated = reports.filter((report) => report.type === 'validated');
    expect(validated.map(({ update }) => update)).toEqual([0, 1]);
  });

  it('refuses weights it cannot read', async () => {
    const broken = { ...start, weights: 'AAAA' };
    await expect(gather(train({ ...order, start: broken }, signal))).rejects.toThrow(RangeError);
  });
});

describe('a comparison', () => {
  it('tells how far it is, then the figures', async () => {
    const scale = { items: 5, workers: 12, runs: 60, questions: 10 };
    const reports = await gather(
      compareHeldOut({ kind: 'compare', seed: 1, candidate: start, inUse: start, scale }, signal),
    );
    expect(reports.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 6 }, () => 'played'),
      'compared',
      'finished',
    ]);
    const compared = reports.find((report) => report.type === 'compared');
    expect(compared?.heldOut.inUse).toMatchObject({ revision: 'start', lead: { mean: 0, low: 0, high: 0 } });
  });

  it('stops when it is told to', async () => {
    const stopped = AbortSignal.abort();
    const scale = { items: 5, workers: 12, runs: 60, questions: 10 };
    const reports = compareHeldOut({ kind: 'compare', seed: 1, candidate: start, inUse: start, scale }, stopped);
    await expect(gather(reports)).rejects.toThrow();
  });
});

describe('the border', () => {
  it('knows every loss, and refuses what is none of ours', () => {
    expect([...LOSS_NAMES].toSorted()).toEqual(Object.keys(LOSSES).toSorted());
    expect(readOrder(structuredClone({ ...order, start }))).toEqual({ ...order, start });
    expect(() => readOrder({ ...order, updates: 0 })).toThrow();
    expect(() => readOrder({ kind: 'other' })).toThrow();
    expect(() => readReport({ type: 'improved', update: 1 })).toThrow();
  });
});
