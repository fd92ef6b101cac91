import { describe, expect, it } from 'vitest';
import { fault, FaultError, type RunEvent } from '../../../src/core/contract';
import { RunJournal } from '../../../src/core/runs/run-journal';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const full = new FaultError(fault('storage-full', 'The disk is full. Delete some runs.'));
const afterGap = new FaultError(fault('storage-failed', 'An earlier part of this run is not saved yet.'));
const EVENTS = stampEvents(finishedRunBodies()).slice(0, 4);

/**
 * A store that rejects the second event while `hasRoom` is false, and rejects any event whose predecessor is
 * missing.
 */
function fillingStore() {
  const kept: RunEvent[] = [];
  const store = {
    kept,
    hasRoom: false,
    async append(event: RunEvent): Promise<void> {
      await Promise.resolve();
      if (event.seq === 1 && !store.hasRoom) throw full;
      if (event.seq !== kept.length) throw afterGap;
      kept.push(event);
    },
  };
  return store;
}

describe("a run's journal", () => {
  it('reports only the fault of the first failed write', async () => {
    const store = fillingStore();
    const journal = new RunJournal(store, -1, () => undefined);
    const appended = await Promise.allSettled(EVENTS.map((event) => journal.append(event)));
    expect(appended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(journal.fault).toEqual({ ...full.fault, message: `This run is not saved. ${full.message}` });
  });

  it('rejects further events after a failed write until all earlier events are stored', async () => {
    const store = fillingStore();
    const saved: number[] = [];
    const journal = new RunJournal(store, -1, ({ seq }) => saved.push(seq));
    const [first, second, third, last] = EVENTS;
    if (!first || !second || !third || !last) throw new Error('There are too few events.');
    await journal.append(first);
    await expect(journal.append(second)).rejects.toBe(full);
    store.hasRoom = true;
    await expect(journal.append(third)).rejects.toMatchObject({ fault: { code: 'storage-full' } });
    expect(store.kept).toEqual([first]);
    await journal.catchUp([first, second, third]);
    expect(journal.fault).toBeNull();
    await journal.append(last);
    expect(store.kept).toEqual(EVENTS);
    expect(saved).toEqual([0, 1, 2, 3]);
  });
});
