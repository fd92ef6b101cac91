import { describe, expect, it } from 'vitest';
import { RunExports } from '../../../src/app/runs/run-exports.svelte';
import type { ChooseTarget } from '../../../src/app/state/save-file';
import { DEFAULT_PREFERENCES, type RunExport } from '../../../src/core/contract';
import { workflowOf } from '../../../src/core/training/export/rollout-format';
import { readRollout } from '../../fixtures/rollout-lines';
import { MemoryStore } from '../../fixtures/memory-store';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { scriptedArchive } from '../conduct/conduct-services';

/** A store with the finished runs `ids`. The runs in `graded` are graded as right. */
async function storeWith(ids: readonly string[], graded: readonly string[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const id of ids) {
    const grade = { type: 'run-graded' as const, correct: true, by: 'person' as const, detail: '' };
    const bodies = [...finishedRunBodies(), ...(graded.includes(id) ? [grade] : [])];
    for (const event of stampEvents(bodies, { runId: id })) await store.append(event);
  }
  return store;
}

function file() {
  const written: { name: string; text: string }[] = [];
  const choose: ChooseTarget = (name) =>
    Promise.resolve({
      async write(stream, signal) {
        const text = await new Response(stream).text();
        signal.throwIfAborted();
        written.push({ name, text });
      },
    });
  return { written, choose };
}

const evaluation = () => {
  const list = () => Promise.resolve([]);
  return Promise.resolve({ datasets: { list }, batches: { list } });
};

/** By default, every method of the archive throws, because an export of rollouts needs only the store. */
function exportsOf(store: MemoryStore, choose: ChooseTarget, archive = scriptedArchive({})): RunExports {
  const preferences = { read: () => Promise.resolve(DEFAULT_PREFERENCES), write: () => Promise.resolve() };
  return new RunExports({ store, preferences, archive: () => Promise.resolve(archive), evaluation }, choose);
}
const rollouts = { format: 'rollouts' } as const;

describe('an export of rollouts (graded plans)', () => {
  it('writes the plans of all graded runs or of one chosen run, as lines that parse back to workflows', async () => {
    const { written, choose } = file();
    const files = exportsOf(await storeWith(['a', 'b', 'c'], ['a', 'c']), choose);
    await files.export(null, rollouts);
    expect(files.work.progress).toBe(1);
    expect(written[0]?.name).toMatch(/^podium-rollouts-\d{4}-\d\d-\d\d\.jsonl$/);
    const lines = (written[0]?.text ?? '').split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(files.exported?.count ?? -1);
    for (const line of lines) expect(workflowOf(readRollout(line)).ok).toBe(true);
    for (const id of ['a', 'c']) expect(lines.some((line) => line.includes(`"id":"${id}/`))).toBe(true);
    await files.export(['c'], rollouts);
    expect(written[1]?.text).toContain('"id":"c/');
    expect(written[1]?.text).not.toContain('"id":"a/');
  });

  it('does nothing if the user chooses no file, and reports a fault if writing fails', async () => {
    const store = await storeWith(['a'], ['a']);
    const changedMind = exportsOf(store, () => Promise.resolve(null));
    await changedMind.export(null, rollouts);
    expect([changedMind.exported, changedMind.work.fault]).toEqual([null, null]);
    const full = exportsOf(store, () => Promise.resolve({ write: () => Promise.reject(new Error('full')) }));
    await full.export(null, rollouts);
    expect(full.work.fault).not.toBeNull();
  });

  it('writes no file when stopped, and can be started again', async () => {
    const { written, choose } = file();
    const store = await storeWith(['a', 'b'], ['a', 'b']);
    const files = exportsOf(store, choose);
    const original = store.read.bind(store);
    store.read = (id) => {
      files.work.stop();
      return original(id);
    };
    await files.export(null, rollouts);
    expect([files.work.wasStopped, files.exported]).toEqual([true, null]);
    expect(written).toEqual([]);
    store.read = original;
    await files.export(null, rollouts);
    expect(files.exported?.count).toBeGreaterThan(0);
  });
});

describe('an export of runs', () => {
  it('reports how many runs were written, not how many were requested', async () => {
    const { written, choose } = file();
    const requested: (RunExport | null)[] = [];
    const archive = scriptedArchive({
      exportRuns({ onprogress, leftOut }) {
        requested.push(null);
        onprogress?.(1, 3);
        leftOut?.('The run b is left out.');
        return new Blob(['a']).stream();
      },
      exportAs(what, { onprogress }) {
        requested.push(what);
        onprogress?.(2, 3);
        return new Blob(['table']).stream();
      },
    });
    const files = exportsOf(new MemoryStore(), choose, archive);
    await files.export(['a', 'b', 'deleted'], { format: 'podium', compress: true });
    expect(files.exported).toMatchObject({ count: 1, of: 'runs', leftOut: ['The run b is left out.'] });
    const table = { format: 'parquet', table: 'steps' } as const;
    await files.export(null, table);
    expect(files.exported).toMatchObject({ count: 2, leftOut: [] });
    expect(requested).toEqual([null, table]);
    expect(written.map(({ name, text }) => [name.replace(/\d{4}-\d\d-\d\d/, 'date'), text])).toEqual([
      ['podium-runs-date.podium.jsonl.gz', 'a'],
      ['podium-steps-date.parquet', 'table'],
    ]);
  });
});
