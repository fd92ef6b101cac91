import { describe, expect, test } from 'vitest';
import { RunFiles } from '../../../src/app/state/run-files.svelte';
import { SampleArchive } from '../../../src/app/state/sample-archive.svelte';
import { fault, FaultError, NOTHING_IMPORTED, sampleRunId, type ImportProgress } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { conductStage, scriptedArchive } from '../conduct/conduct-services';

/** The sample archive has two runs. */
function stage() {
  const { services, store } = conductStage();
  const add = async (runId: string) => {
    for (const event of stampEvents(finishedRunBodies(), { runId })) await store.append(event);
  };
  const archive = scriptedArchive({
    async *importRuns(file): AsyncGenerator<ImportProgress> {
      for (const number of [1, 2]) await add(sampleRunId(number));
      const runs = { ...NOTHING_IMPORTED, added: 2 };
      yield { read: file.size, of: file.size, lines: 2, runs, problems: [] };
    },
  });
  const files = new RunFiles({ ...services, archive: () => Promise.resolve(archive) });
  const open = (fetchFile: (address: string) => Promise<Response>) => new SampleArchive(services, files, fetchFile);
  return { services, store, add, open };
}
const found = () => Promise.resolve(new Response('runs'));

describe('the sample archive', () => {
  test('imports its runs, and removes only its runs', async () => {
    const { store, add, open } = stage();
    await add('own');
    const sample = open(found);
    await sample.find();
    expect(sample.stored).toEqual([]);
    await sample.load();
    expect(sample.stored).toEqual([sampleRunId(1), sampleRunId(2)]);
    await sample.remove();
    expect(sample.stored).toEqual([]);
    expect((await store.summaries({ limit: 9 })).summaries.map(({ id }) => id)).toEqual(['own']);
  });

  test('deletes its other runs if one cannot be deleted, and reports the reason', async () => {
    const { services, store, open } = stage();
    const sample = open(found);
    await sample.load();
    const remove = services.runs.delete.bind(services.runs);
    services.runs.delete = (id) =>
      id === sampleRunId(1) ? Promise.reject(new FaultError(fault('run-busy', 'It is open.'))) : remove(id);
    await sample.remove();
    expect(sample.stored).toEqual([sampleRunId(1)]);
    expect(sample.fault?.message).toBe('It is open.');
    expect(await store.count()).toBe(1);
  });

  test('shows an error if it cannot be downloaded, and can be loaded again', async () => {
    const { open } = stage();
    const answers = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => Promise.resolve(new Response('', { status: 404 })),
      found,
    ];
    const sample = open(() => answers.shift()?.() ?? found());
    for (const time of [1, 2]) {
      await sample.load();
      expect(sample.fault?.message, `time ${time}`).toBe(
        'Couldn’t download the sample runs. Check your connection and try again.',
      );
      expect(sample.doing).toBeNull();
    }
    await sample.load();
    expect(sample.fault).toBeNull();
    expect(sample.stored).toHaveLength(2);
  });
});
