/** @file Tests the training and comparison of policies in a real Web Worker: reports, cancellation and crashes. */
import { describe, expect, it } from 'vitest';
import { isAbort, seededRandom } from '../../../src/core/contract';
import { initialParameters, writeCheckpoint } from '../../../src/core/policy';
import type { Order, TrainingReport } from '../../../src/core/training/orders';
import { createTrainingDesk } from '../../../src/composition/training/desk';
import { SMALL_TRAINING } from '../../core/training/society';

const file = writeCheckpoint(initialParameters({ width: 8 }, seededRandom(1)), 'start');
const training: Order = {
  kind: 'train',
  seed: 3,
  updates: 3,
  loss: 'paper',
  start: file,
  own: [],
  revision: 'small',
  scale: SMALL_TRAINING,
};
const comparison: Order = {
  kind: 'compare',
  seed: 3,
  candidate: file,
  inUse: file,
  scale: { items: 4, workers: 12, runs: 60, questions: 10 },
};

const own = (script: string) => {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return createTrainingDesk({ createWorker: () => new Worker(address) });
};

async function gather(reports: AsyncIterable<TrainingReport>): Promise<TrainingReport[]> {
  const all: TrainingReport[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

describe('createTrainingDesk', () => {
  const { signal } = new AbortController();

  it('trains in a Web Worker, and reports each update and an improved checkpoint', { timeout: 240_000 }, async () => {
    const reports = await gather(createTrainingDesk().carryOut({ ...training, start: null }, signal));
    expect(reports.flatMap((report) => (report.type === 'updated' ? [report.figures.update] : []))).toEqual([1, 2, 3]);
    expect(reports.find((report) => report.type === 'improved')?.checkpoint.revision).toMatch(/^small-\d$/);
    expect(reports.at(-1)).toEqual({ type: 'finished' });
  });

  it('compares a policy with itself in a Web Worker, and reports a mean lead of 0', { timeout: 120_000 }, async () => {
    const reports = await gather(createTrainingDesk().carryOut(comparison, signal));
    expect(reports.find((report) => report.type === 'compared')?.heldOut.inUse.lead.mean).toBe(0);
  });

  it('rejects and yields no more reports after an abort', { timeout: 120_000 }, async () => {
    const controller = new AbortController();
    const reports: TrainingReport[] = [];
    const stopped = (async () => {
      for await (const report of createTrainingDesk().carryOut(training, controller.signal)) {
        reports.push(report);
        controller.abort();
      }
    })();
    expect(isAbort(await stopped.catch((thrown: unknown) => thrown))).toBe(true);
    expect(reports).toHaveLength(1);
  });

  it('rejects and creates no Web Worker when the signal is aborted before `ready` resolves', async () => {
    const controller = new AbortController();
    const desk = createTrainingDesk({
      ready: () => new Promise<void>(() => undefined),
      createWorker: () => {
        throw new Error('No Web Worker was expected.');
      },
    });
    const waiting = gather(desk.carryOut(training, controller.signal)).catch((thrown: unknown) => thrown);
    controller.abort();
    expect(isAbort(await waiting)).toBe(true);
    expect(isAbort(await gather(desk.carryOut(training, AbortSignal.abort())).catch((thrown: unknown) => thrown))).toBe(
      true,
    );
  });

  it('rejects if the start policy is damaged, or if the Web Worker crashes or sends an invalid report', async () => {
    const broken: Order = { ...training, start: { ...file, weights: 'AAAA' } };
    await expect(gather(createTrainingDesk().carryOut(broken, signal))).rejects.toThrow(
      'The policy to start from cannot be read',
    );
    await expect(gather(own('throw new Error("no")').carryOut(training, signal))).rejects.toThrow(
      'Couldn’t load the training code',
    );
    await expect(
      gather(own('onmessage = () => postMessage({ type: "?" })').carryOut(training, signal)),
    ).rejects.toThrow('Training stopped because its Web Worker crashed');
  });
});
