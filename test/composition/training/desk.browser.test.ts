/** @file Tests how the training of policies in a real Web Worker ends: by cancellation, crashes and faults. */
import { describe, expect, it } from 'vitest';
import { fault, isAbort, seededRandom } from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { writeCheckpoint } from '../../../src/core/policy/checkpoint';
import type { Order, TrainingReport } from '../../../src/core/training/orders';
import { createTrainingDesk } from '../../../src/composition/training/desk';
import { workerOf } from '../../fixtures/scripted-worker';
import { SMALL_TRAINING } from '../../core/training/society';

const policy = (seed: number, revision: string) =>
  writeCheckpoint(initialParameters({ width: 8 }, seededRandom(seed)), revision);
const file = policy(1, 'start');
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

const own = (script: string) => createTrainingDesk({ createWorker: workerOf(script) });

/** A desk whose Web Worker holds a Web Lock until it is terminated, and does `then` after its first report. */
const holder = (lock: string, then: string) =>
  own(`oncall = (call) => navigator.locks.request('${lock}', () => {
    report(call, { type: 'played', done: 1, of: 2 });
    ${then};
    return new Promise(() => {});
  });`);

async function gather(reports: AsyncIterable<TrainingReport>): Promise<TrainingReport[]> {
  const all: TrainingReport[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

const NO = fault('internal', 'No.');

describe('createTrainingDesk', () => {
  const { signal } = new AbortController();

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

  it.each([
    ['the signal aborts', 'abort', ''],
    ['the caller leaves the loop', 'leave', ''],
    ['the work finishes', 'read on', 'ended(call)'],
    ['the work fails', 'read on', `postMessage({ type: 'failed', id: call.id, fault: ${JSON.stringify(NO)} })`],
    ['the Web Worker sends an invalid report', 'read on', "report(call, { type: '?' })"],
  ] as const)('terminates the Web Worker if %s', async (_, action, then) => {
    const lock = crypto.randomUUID();
    const controller = new AbortController();
    const desk = holder(lock, then);
    let wasHeld = false;
    const reading = (async () => {
      for await (const { type } of desk.carryOut(training, controller.signal)) {
        if (type !== 'played') continue;
        const { held = [] } = await navigator.locks.query();
        wasHeld = held.some(({ name }) => name === lock);
        if (action === 'abort') controller.abort();
        if (action === 'leave') break;
      }
    })();
    await reading.catch(() => undefined);
    expect(wasHeld, 'the Web Worker runs and holds the lock').toBe(true);
    // The browser releases the lock only when the Web Worker is terminated. If the Web Worker keeps running, the request
    // times out.
    await navigator.locks.request(lock, { signal: AbortSignal.timeout(10_000) }, () => undefined);
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
      gather(own('oncall = (call) => report(call, { type: "?" })').carryOut(training, signal)),
    ).rejects.toThrow('Training stopped because its Web Worker crashed');
  });
});
