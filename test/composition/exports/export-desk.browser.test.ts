import { describe, expect, it } from 'vitest';
import { createExportDesk, type ExportDeskOptions } from '../../../src/composition/exports/export-desk';
import { createRunStore } from '../../../src/platform/store/run-store';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { workerOf } from '../../fixtures/scripted-worker';
import { testDatabase } from '../../platform/store/harness';

const { signal } = new AbortController();
const RUNS = 40;

async function stage(options: Partial<ExportDeskOptions> = {}) {
  const database = testDatabase();
  const runs = Array.from({ length: RUNS }, (_, place) => stampEvents(finishedRunBodies(), { runId: `run-${place}` }));
  await createRunStore(database).addRuns(runs);
  const ready = () => Promise.resolve();
  return createExportDesk({ database: database.name, app: '1', now: () => 0, ready, ...options });
}

describe('the Web Worker that exports runs', () => {
  it('writes all runs, and reports how many', async () => {
    const exportAs = await stage();
    const progress: string[] = [];
    const onprogress = (done: number, of: number) => void progress.push(`${done} of ${of}`);
    const text = await new Response(
      exportAs({ format: 'podium', compress: false }, { ids: null, signal, onprogress }),
    ).text();
    expect(text.trimEnd().split('\n')).toHaveLength(RUNS);
    expect(progress.at(-1)).toBe(`${RUNS} of ${RUNS}`);
  });

  it('stops when the signal aborts', async () => {
    const exportAs = await stage();
    const controller = new AbortController();
    const reader = exportAs(
      { format: 'podium', compress: false },
      { ids: null, signal: controller.signal },
    ).getReader();
    controller.abort();
    await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each([
    ['it is missing', 'throw new Error("gone")', 'Couldn’t load the part of Podium that exports runs'],
    ['it crashes', 'oncall = () => { throw new Error("memory") }; postMessage({ type: "ready" })', 'The export failed'],
  ])('fails with a sentence for the user if %s', async (_, script, message) => {
    const exportAs = await stage({ createWorker: workerOf(script) });
    const reading = exportAs({ format: 'podium', compress: false }, { ids: null, signal }).getReader().read();
    await expect(reading).rejects.toMatchObject({
      fault: { retryable: true, message: expect.stringContaining(message) },
    });
  });
});
