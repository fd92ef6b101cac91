import { expect, test } from 'vitest';
import { fault, FaultError, type EvaluationTask } from '../../../../src/core/contract';
import { tryReferences } from '../../../../src/core/evaluation/datasets/try-references';

const signal = () => new AbortController().signal;
const taskOf = (grader: EvaluationTask['grader'], reference: string): EvaluationTask => ({
  id: '1',
  question: 'What?',
  reference,
  grader,
  domain: 'knowledge',
});

test.each([
  ['mathematics', '1, 2'],
  ['mathematics', '70,000'],
  ['mathematics', '(-\\infty, 2) \\cup (3, 4)'],
  ['mathematics', '\\boxed{5}'],
  ['mathematics', '\\text{Evelyn}'],
  ['mathematics', '\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}'],
  ['letter', 'J'],
  ['exact', 'New York'],
  ['exact', 'Dr. No.'],
  ['rlpr', '50 %'],
  ['rlpr', 'a red dwarf'],
] as const)('finds nothing wrong with the %s reference %s', async (grader, reference) => {
  expect(await tryReferences([taskOf(grader, reference)], undefined, signal())).toEqual({
    tried: 1,
    failed: [],
    untried: null,
  });
});

const WORKED = 'She sells 9 eggs.\nShe gets 9 * 2 dollars.\n#### 18';
test.each([
  ['mathematics', WORKED, 'Choose the part'],
  ['mathematics', 'So 9 * 2 = 18 #### 18', 'Choose the part'],
  ['mathematics', 'Hence $x = \\boxed{18}$.', 'Choose the part'],
  ['mathematics', '9 * 2 = 18\n18 + 1 = 19', 'Choose the part'],
  ['mathematics', 'She makes 18 dollars every day at the market in town.', 'Choose the part'],
  ['exact', WORKED, 'Choose the part'],
  ['exact', 'She sells 9.\nShe gets 18.', 'the 2 lines of the reference word for word'],
  ['exact', 'She sells nine eggs a day '.repeat(6), 'word for word'],
  ['rlpr', WORKED, 'Choose the part'],
  ['letter', '?', 'The reference itself is graded as wrong.'],
] as const)('reports the %s reference %j', async (grader, reference, words) => {
  const { failed } = await tryReferences([taskOf(grader, reference)], undefined, signal());
  expect(failed).toEqual([{ taskId: '1', message: expect.stringContaining(words) as string }]);
});

test('tries the first programs only, and says why a program can’t be tried', async () => {
  const tasks = Array.from({ length: 5 }, () => taskOf('unittest', '{}'));
  const broken = fault('not-gradable', 'Its own solution fails.');
  expect(await tryReferences(tasks, async () => broken, signal())).toMatchObject({ tried: 3, failed: { length: 3 } });
  const offline = () => Promise.reject(new FaultError(fault('internal', 'Python can’t start.')));
  expect(await tryReferences(tasks, offline, signal())).toEqual({
    tried: 0,
    failed: [],
    untried: 'Python can’t start.',
  });
});

test('tries nothing for graders without a fixed reference', async () => {
  const tasks = (['judge', 'person', 'puzzle', 'pattern'] as const).map((grader) => taskOf(grader, WORKED));
  expect(await tryReferences(tasks, undefined, signal())).toEqual({ tried: 0, failed: [], untried: null });
});
