import { deleteDB } from 'idb';
import { expect, test } from 'vitest';
import { applyEvent, foldEvents, runLock, type Run } from '../../src/core/contract';
import { startWorker } from '../../src/platform/start-worker';
import { createDatabase } from '../../src/platform/store/database';
import { createWebLocks } from '../../src/platform/store/locks';
import { createRunStore } from '../../src/platform/store/run-store';
import { crashesOf, type CrashMoment } from '../fixtures/crash-moments';
import { finishedParts, lossesOf, PARTS, textOf, type Part } from '../fixtures/crash-run';
import program from '../fixtures/crashing-worker?worker&url';
import type { CrashOrder, CrashReport } from '../fixtures/crashing-worker';
import { STANDING } from '../fixtures/watch-storage';

const RUNS = 12;
const locks = createWebLocks();
const SEED = Math.floor(Math.random() * 2 ** 32);

/** Parts that were called, and events that were reported as stored, while one Web Worker carried out the run. */
interface Segment {
  readonly received: Part[];
  readonly reported: Map<number, string>;
}

/**
 * Starts or resumes the run in a Web Worker, and terminates the Web Worker at the moment or when the run ends.
 * @param moment `null`: only when the run ends
 * @param stored how many of the run's events are already on disk
 */
async function carryOut(
  order: Omit<CrashOrder, 'freeze'>,
  moment: CrashMoment | null,
  stored: number,
): Promise<Segment> {
  const segment: Segment = { received: [], reported: new Map() };
  const worker = startWorker(program);
  try {
    await new Promise<void>((end, fail) => {
      const seq = stored + (moment?.count ?? 0);
      const isFreeze = moment?.when === 'stored' || moment?.when === 'storing';
      let sent = 0;
      worker.onerror = ({ message }) => fail(new Error(message));
      worker.onmessage = ({ data }: MessageEvent<CrashReport>) => {
        switch (data.type) {
          case 'called':
            segment.received.push(data.part);
            if (moment?.when === 'time' && segment.received.length === 1) setTimeout(end, moment.count / 10);
            return;
          case 'sent':
            if (moment?.when === 'sent' && sent++ === moment.count) end();
            return;
          case 'stored':
            for (const [number, type] of data.events) segment.reported.set(number, type);
            if (isFreeze && segment.reported.has(moment.when === 'stored' ? seq : STANDING)) end();
            return;
          case 'ended':
            end();
            return;
          default:
            return data satisfies never;
        }
      };
      worker.postMessage({ ...order, freeze: isFreeze ? { when: moment.when, seq } : null } satisfies CrashOrder);
    });
  } finally {
    worker.terminate();
  }
  segment.reported.delete(STANDING);
  return segment;
}

test(`${RUNS} runs keep every stored event, and finished steps, when they crash at random moments`, async () => {
  for (let number = 1; number <= RUNS; number++) {
    const name = `crashes-${number}`;
    const database = createDatabase({ name });
    const store = createRunStore(database);
    const runId = `run-${number}`;
    const reported = new Map<number, string>();
    const received: Part[] = [];
    const readRun = async () => {
      const events = await store.read(runId);
      return { events, run: foldEvents(events) };
    };
    let { events, run } = await readRun();
    const carryOn = async (moment: CrashMoment | null): Promise<readonly Part[]> => {
      const segment = await carryOut({ database: name, runId, resumes: run !== null }, moment, events.length);
      for (const [seq, type] of segment.reported) reported.set(seq, type);
      received.push(...segment.received);
      ({ events, run } = await readRun());
      const where = `run ${number} of seed ${SEED}, after ${moment?.when ?? 'its end'} ${moment?.count ?? ''}`;
      expect(lossesOf({ events, run }, reported, received), where).toEqual([]);
      return segment.received;
    };
    for (const moment of crashesOf(SEED, number)) {
      await carryOn(moment);
      await locks.whenFree(runLock(runId), AbortSignal.timeout(10_000));
      if (run?.status === 'finished') break;
      if (run) await markInterrupted(run);
    }
    const before = finishedParts(run);
    const again = run?.status === 'finished' ? [] : await carryOn(null);
    expect([...again].toSorted(), `run ${number} of seed ${SEED}: calls after the crash`).toEqual(
      PARTS.filter((part) => !before.has(part)).toSorted(),
    );
    expect(run).toMatchObject({ status: 'finished', answer: textOf('ezra') });
    database.close();
    await deleteDB(name);

    /** Another page does this once the page of the run is gone. */
    async function markInterrupted(crashed: Run): Promise<void> {
      const last = events.at(-1);
      if (!last) return;
      const { at, segment, elapsed, seq } = last;
      const event = { type: 'run-interrupted', runId, at, segment, elapsed, seq: seq + 1 } as const;
      await store.append(event);
      run = applyEvent(crashed, event);
      events = [...events, event];
    }
  }
});
