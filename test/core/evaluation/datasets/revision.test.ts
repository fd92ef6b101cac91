import { expect, test } from 'vitest';
import type { EvaluationTask } from '../../../../src/core/contract';
import { revisionDigest } from '../../../../src/core/evaluation/datasets/describe-tasks';

const TASK: EvaluationTask = { id: 'one', question: 'Q', reference: 'B', grader: 'letter', domain: 'science' };

function revisionOf(task: EvaluationTask): string {
  const digest = revisionDigest();
  digest.add(task);
  return digest.finish();
}

test('computes different revisions for tasks that differ only in `artefactRules` or `caution`', () => {
  const tasks: EvaluationTask[] = [
    TASK,
    { ...TASK, artefactRules: 'gpqa' },
    { ...TASK, artefactRules: 'aime' },
    { ...TASK, caution: 'gpqa' },
  ];
  expect(new Set(tasks.map(revisionOf)).size).toBe(tasks.length);
});

test('computes the same revision as older versions of Podium for tasks without `artefactRules`', () => {
  expect(revisionOf(TASK)).toBe('c81c1af81a074fecbf166dd667acc8bba7f57ee92ac9fd593e437cf3bf38413a');
  expect(revisionOf({ ...TASK, group: 'g', solution: 's', caution: 'c' })).toBe(
    'e771a35e24833f77e3532d468fe6f65fe6438dfdc3c65f6798c107672e4643bd',
  );
});
