import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import RunFilesBar from '../../../src/app/shared/RunFilesBar.svelte';
import { RunFiles } from '../../../src/app/state/run-files.svelte';
import { Browser } from '../../core/runs/scripted';
import { scriptedArchive } from '../conduct/conduct-services';

test('after an export, shows eight messages about runs that were left out, and the number of further messages', async () => {
  const archive = scriptedArchive({
    exportRuns({ onprogress, leftOut }) {
      for (let run = 1; run <= 10; run++) leftOut?.(`The run ${run} is left out.`);
      onprogress?.(1, 11);
      return new Blob(['a']).stream();
    },
  });
  const { runs } = new Browser().tab();
  const target = { write: async (stream: ReadableStream) => void (await new Response(stream).text()) };
  const files = new RunFiles({ runs, archive: () => Promise.resolve(archive) }, () => Promise.resolve(target));
  await files.export(['1'], false);
  const screen = await render(RunFilesBar, { files });
  await expect.element(screen.getByText('The run 8 is left out.')).toBeVisible();
  await expect.element(screen.getByText('And 2 more messages.')).toBeVisible();
});
