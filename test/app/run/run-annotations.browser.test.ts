import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import RunAnnotations from '../../../src/app/run/RunAnnotations.svelte';
import { ANNOTATION_LIMITS, type Grade } from '../../../src/core/contract';
import { finishedRun } from '../scripted-runs';

test('a comment on a grade has the length limit in `ANNOTATION_LIMITS`', async () => {
  const grade: Grade = { correct: true, by: 'person', detail: '' };
  const done = () => Promise.resolve(true);
  const screen = await render(RunAnnotations, {
    run: { ...finishedRun(), grade },
    busy: false,
    onannotate: done,
    ontag: done,
    oncomment: done,
  });
  await screen.getByRole('button', { name: 'Comment on the grade' }).click();
  const field = screen.getByRole('textbox', { name: 'Comment on the grade' });
  await expect.element(field).toHaveAttribute('maxlength', String(ANNOTATION_LIMITS.comment));
});
