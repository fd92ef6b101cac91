/**
 * @file Tests a small training run, a comparison of policies, and the messages between the page and
 * the Web Worker.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { FaultError, seededRandom } from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { readCheckpoint, writeCheckpoint } from '../../../src/core/policy/checkpoint';
import { LOSS_NAMES } from '../../../src/core/training/learning/course-options';
import { LOSSES } from '../../../src/core/training/learning/grpo';
import { readOrder, readReport, type TrainingOrder, type TrainingReport } from '../../../src/core/training/orders';
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
    // `structuredClone` copies a report as `postMessage` does.
    all.push(readReport(structuredClone(report)));
  }
  return all;
}

/** The reports of training runs from new random weights, and from given weights. Several tests use them. */
let fromNew: readonly TrainingReport[];
let fromGiven: readonly TrainingReport[];
beforeAll(async () => {
  fromNew = await gather(train(order, signal));
  fromGiven = await gather(train({ ...order, start }, signal));
});

describe('a training run', () => {
  it('reports every update and the best checkpoint', () => {
    const reports = fromNew;
    const types = reports.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['began', 'began']);
    expect(types.filter((type) => type === 'updated')).toHaveLength(3);
    expect(types.filter((type) => type === 'validated')).toHaveLength(3);
    const best = reports.findLast((report) => report.type === 'improved');
    expect(best && readCheckpoint(best.checkpoint)?.revision).toBe(`test-${best?.update}`);
  });

  it('skips pretraining when it starts from given weights', () => {
    const reports = fromGiven;
    expect(reports.flatMap((report) => (report.type === 'began' ? [report.phase] : []))).toEqual([
      'drawing',
      'updates',
    ]);
    const validated = reports.filter((report) => report.type === 'validated');
    expect(validated.map(({ update }) => update)).toEqual([0, 1, 2, 3]);
  });

  it('applies the fine-tuning options only when it starts from given weights', async () => {
    const frozen = { learningRate: 0 };
    const figuresOf = (reports: readonly TrainingReport[]) =>
      reports.flatMap((report) => (report.type === 'updated' ? [report.figures] : []));
    expect(figuresOf(await gather(train(order, signal, frozen)))).toEqual(figuresOf(fromNew));
    expect(figuresOf(await gather(train({ ...order, start }, signal, frozen)))).not.toEqual(figuresOf(fromGiven));
  });

  it('reports only checkpoints that are better than the initial weights', async () => {
    // There are so few items that most updates do not change the share of right answers.
    const reports = await gather(train({ ...order, start, updates: 6 }, signal));
    const validated = reports.flatMap((report) => (report.type === 'validated' ? [report] : []));
    const from = validated[0]?.right ?? Number.NaN;
    const after = (update: number) => validated.find((report) => report.update === update)?.right ?? Number.NaN;
    const handedOut = reports.flatMap((report) => (report.type === 'improved' ? [report.update] : []));
    expect(validated.slice(1).some(({ right }) => right <= from)).toBe(true);
    expect(handedOut.every((update) => after(update) > from)).toBe(true);
    expect(handedOut.length > 0).toBe(validated.slice(1).some(({ right }) => right > from));
  });

  it('rejects unreadable weights, and names the policy that has them', async () => {
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
  it('reports progress, and then the result', async () => {
    const scale = { items: 5, workers: 12, runs: 60, questions: 10 };
    const reports = await gather(
      compareHeldOut({ kind: 'compare', seed: 1, candidate: start, inUse: start, scale }, signal),
    );
    expect(reports.map(({ type }) => type)).toEqual([...Array.from({ length: 6 }, () => 'played'), 'compared']);
    const compared = reports.find((report) => report.type === 'compared');
    expect(compared?.heldOut.inUse).toMatchObject({ revision: 'start', lead: { mean: 0, low: 0, high: 0 } });
  });

  it('throws if the signal has already aborted', async () => {
    const stopped = AbortSignal.abort();
    const scale = { items: 5, workers: 12, runs: 60, questions: 10 };
    const reports = compareHeldOut({ kind: 'compare', seed: 1, candidate: start, inUse: start, scale }, stopped);
    await expect(gather(reports)).rejects.toThrow();
  });
});

describe('message validation', () => {
  it('knows every loss, accepts a valid order and rejects invalid messages', () => {
    expect([...LOSS_NAMES].toSorted()).toEqual(Object.keys(LOSSES).toSorted());
    expect(readOrder(structuredClone({ ...order, start }))).toEqual({ ...order, start });
    expect(() => readOrder({ ...order, updates: 0 })).toThrow();
    expect(() => readOrder({ kind: 'other' })).toThrow();
    expect(() => readReport({ type: 'improved', update: 1 })).toThrow();
  });
});
