import { expect, test } from 'vitest';
import { RunActions } from '../../../src/app/runs/run-actions.svelte';
import type { Run } from '../../../src/core/contract';
import { finishedRun } from '../scripted-runs';

test('rejects a change and reports that the run is busy while an earlier change is being saved', async () => {
  let finish: (run: Run) => void = () => undefined;
  const saved = new Promise<Run>((resolve) => (finish = resolve));
  const unexpected = () => Promise.reject(new Error('Unexpected.'));
  const runs = {
    annotate: () => saved,
    grade: unexpected,
    gradeBy: unexpected,
    label: unexpected,
    open: unexpected,
    resume: unexpected,
  };
  const changed: Run[] = [];
  const actions = new RunActions(runs, (run) => changed.push(run));
  const first = actions.annotate('run-1', { title: 'One' });
  expect(await actions.annotate('run-1', { title: 'Two' })).toBe(false);
  expect(actions.fault?.message).toBe('This run is busy. Try again.');
  finish(finishedRun());
  expect(await first).toBe(true);
  expect(changed).toHaveLength(1);
});
