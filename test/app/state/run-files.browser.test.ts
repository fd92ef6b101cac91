import { describe, expect, it } from 'vitest';
import { RunFiles } from '../../../src/app/state/run-files.svelte';
import type { ChooseTarget } from '../../../src/app/state/save-file';
import { NOTHING_IMPORTED } from '../../../src/core/contract';
import { scriptedArchive } from '../conduct/conduct-services';
import { Browser } from '../../core/runs/scripted';

/** A fake save dialog. The exported files are in `written`. */
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

describe('an export', () => {
  it('reports how many runs were written, not how many were requested', async () => {
    const { choose } = file();
    const archive = scriptedArchive({
      exportRuns({ onprogress, leftOut }) {
        onprogress?.(1, 3);
        leftOut?.('The run b is left out.');
        return new Blob(['a']).stream();
      },
    });
    const { runs } = new Browser().tab();
    const files = new RunFiles({ runs, archive: () => Promise.resolve(archive) }, choose);
    await files.export(['a', 'b', 'deleted'], false);
    expect([files.exported, files.leftOut]).toEqual([1, ['The run b is left out.']]);
  });
});

describe('an import', () => {
  it('reloads the runs and notifies subscribers even if it is stopped or fails', async () => {
    for (const how of ['stopped', 'failed'] as const) {
      const { runs } = new Browser().tab();
      const calls: string[] = [];
      const archive = scriptedArchive({
        async *importRuns(_file, signal) {
          yield { read: 1, of: 2, lines: 1, runs: NOTHING_IMPORTED, problems: [] };
          if (how === 'failed') throw new Error('gone');
          files.work.stop();
          signal.throwIfAborted();
        },
      });
      const recordingRuns = { ...runs, reloadRuns: () => Promise.resolve(void calls.push('reloaded')) };
      const files: RunFiles = new RunFiles({
        runs: recordingRuns,
        archive: () => Promise.resolve(archive),
      });
      const leave = files.listen(() => calls.push('notified'));
      await files.import([new File(['x'], 'x.podium.jsonl')]);
      expect(calls).toEqual(['reloaded', 'notified']);
      expect([files.work.wasStopped, files.work.fault !== null]).toEqual([how === 'stopped', how === 'failed']);
      leave();
      await files.import([new File(['x'], 'x.podium.jsonl')]);
      expect(calls).toEqual(['reloaded', 'notified', 'reloaded']);
    }
  });
});
