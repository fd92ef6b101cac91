import { describe, expect, it } from 'vitest';
import type { ImportProgress } from '../../../src/core/contract';
import { createFileDesk, type FileDeskOptions } from '../../../src/platform/store/file-worker/file-desk';
import { createRunStore } from '../../../src/platform/store/run-store';
import { FakeClock } from '../../fixtures/fake-clock';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { workerOf } from '../../fixtures/scripted-worker';
import { testDatabase } from './harness';

const { signal } = new AbortController();
const lineOf = (runId: string) =>
  `${JSON.stringify({ format: 'podium-run', version: 1, events: stampEvents(finishedRunBodies(), { runId }) })}\n`;

function desk(options: Partial<FileDeskOptions> = {}) {
  const database = testDatabase();
  const store = createRunStore(database);
  return { store, desk: createFileDesk({ clock: new FakeClock('manual'), database: database.name, ...options }) };
}

async function last(reports: AsyncIterable<ImportProgress>): Promise<ImportProgress | null> {
  let newest: ImportProgress | null = null;
  for await (const report of reports) newest = report;
  return newest;
}

describe('the Web Worker that reads files', () => {
  it('stores the runs of a file in the page’s database, and reports unreadable lines', async () => {
    const { store, desk: files } = desk();
    // Opens the database in the page too, not only in the Web Worker.
    expect(await store.count()).toBe(0);
    const file = new Blob([lineOf('run-1'), 'half a li\n', lineOf('run-2')]);
    const progress = await last(files.importRuns(file, signal));
    expect(progress).toMatchObject({ lines: 3, read: file.size, runs: { added: 2 }, problems: [{ line: 2 }] });
    expect(await store.count()).toBe(2);
    expect((await store.summary('run-1'))?.imported).toBe(true);
  });

  it('reports why a file cannot be restored', async () => {
    const inspected = desk().desk.inspect(new Blob(['{}']), signal);
    await expect(inspected).rejects.toMatchObject({
      fault: { code: 'bad-request', message: expect.stringMatching('not a backup') },
    });
  });

  it('is terminated when it does not stop in time', async () => {
    const asleep: number[] = [];
    const clock = { sleep: (ms: number) => Promise.resolve(void asleep.push(ms)) };
    const { desk: files } = desk({ clock, createWorker: workerOf('for (;;);') });
    const controller = new AbortController();
    const importing = last(files.importRuns(new Blob(['x']), controller.signal));
    controller.abort();
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(asleep).toEqual([1000]);
  });

  it('ends with a fault if it cannot start, crashes, or sends an invalid report', async () => {
    const progress = "{type: 'progress', done: 1, of: 2}";
    for (const [program, why] of [
      ['throw new Error("gone")', /Couldn’t load the part of Podium/],
      [
        `oncall = (call) => { report(call, ${progress}); setTimeout(() => { throw new Error("memory"); }); }`,
        /Reading the file failed/,
      ],
      ['oncall = (call) => report(call, "what?")', /Reading the file failed/],
    ] as const) {
      const { desk: files } = desk({ createWorker: workerOf(program) });
      await expect(last(files.importRuns(new Blob(['x']), signal))).rejects.toMatchObject({
        fault: { message: expect.stringMatching(why) },
      });
    }
  });
});
