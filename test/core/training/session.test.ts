/** @file A small training from order to candidate, and what goes over the border between page and Worker. */
import { describe, expect, it } from 'vitest';
import { FaultError, seededRandom } from '../../../src/core/contract';
import { initialParameters, readCheckpoint, writeCheckpoint } from '../../../src/core/policy';
import { LOSSES } from '../../../src/core/training/grpo';
import {
  LOSS_NAMES,
  readOrder,
  readReport,
  type TrainingOrder,
  type TrainingReport,
} from '../../../src/core/training/orders';
import { compareHeldOut, train, type GoingOn } from '../../../src/core/training/session';
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

  it('goes on by settings of its own, which a fresh one does not know', { timeout: 240_000 }, async () => {
    const still = { learningRate: 0 };
    const told = async (from: TrainingOrder['start'], goingOn?: GoingOn) => {
      const reports = await gather(train({ ...order, start: from, updates: 2 }, signal, goingOn));
      return reports.flatMap((report) => (report.type === 'updated' ? [report.figures] : []));
    };
    expect(await told(null, still)).toEqual(await told(null));
    expect(await told(start, still)).not.toEqual(await told(start));
  });

  it('hands out nothing that is no better than where it started', { timeout: 240_000 }, async () => {
    // On so few items most updates change nothing.
    const reports = await gather(train({ ...order, start, updates: 6 }, signal));
    const validated = reports.flatMap((report) => (report.type === 'validated' ? [report] : []));
    const from = validated[0]?.right ?? Number.NaN;
    const after = (update: number) => validated.find((report) => report.update === update)?.right ?? Number.NaN;
    const handedOut = reports.flatMap((report) => (report.type === 'improved' ? [report.update] : []));
    expect(validated.slice(1).some(({ right }) => right <= from)).toBe(true);
    expect(handedOut.every((update) => after(update) > from)).toBe(true);
    expect(handedOut.length > 0).toBe(validated.slice(1).some(({ right }) => right > from));
  });

  it('refuses weights it cannot read, and does not blame the seed', async () => {
    const broken = { ...start, weights: 'AAAA' };
    const refused = gather(train({ ...order, start: broken }, signal));
    await expect(refused).rejects.toThrow(FaultError);
    await expect(refused).rejects.toThrow(/The policy to start from cannot be read.*Use another policy/);
    const scale = { items: 5, workers: 12, runs: 60, questions: 10 };
    const compared = compareHeldOut({ kind: 'compare', seed: 1, candidate: broken, inUse: start, scale }, signal);
    await expect(gather(compared)).rejects.toThrow(/The candidate cannot be read/);
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
