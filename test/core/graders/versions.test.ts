import { expect, test } from 'vitest';
import { GRADER_KINDS, type Task } from '../../../src/core/contract';
import { graderFor, graderVersion } from '../../../src/core/graders/grader-for';

const TASK: Task = { question: 'How many?', reference: '7' };
const { signal } = new AbortController();

test('a verdict names the version of its grader, unless it is the first', async () => {
  expect(await graderFor('mathematics', 'strict')?.grade(TASK, 'It is 7.', signal)).toMatchObject({
    correct: true,
    version: graderVersion('mathematics', 'strict'),
  });
  expect(await graderFor('mathematics', 'paper-artefact')?.grade(TASK, 'It is 7.', signal)).not.toHaveProperty(
    'version',
  );
});

test('graders that make calls, and the rules of the paper’s code, have no later version', () => {
  expect(['judge', 'person', 'recorded'].map((kind) => GRADER_KINDS.find((each) => each === kind))).not.toContain(
    undefined,
  );
  for (const kind of GRADER_KINDS) expect(graderVersion(kind, 'paper-artefact')).toBe(1);
  expect(graderVersion('judge', 'strict')).toBe(1);
});
