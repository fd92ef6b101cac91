/** @file Runs the unit tests that are made from published Python tests, in the sandbox. */
import { afterAll, expect, test } from 'vitest';
import type { EvaluationTask } from '../../../../src/core/contract';
import { assertionsReference, checkReference } from '../../../../src/core/evaluation/datasets/unit-test-code';
import { tryReferences } from '../../../../src/core/evaluation/datasets/try-references';
import { tryProgram } from '../../../../src/core/graders/grader-for';
import { createSharedRoom } from '../../../fixtures/programs/shared-room';
import { verdictOn } from '../../../fixtures/programs/verdict-on';

const runCode = createSharedRoom();
afterAll(() => runCode.dispose());
const signal = () => new AbortController().signal;

const CHECK = 'def check(candidate):\n    assert candidate([1, 2]) == 6\n    assert candidate([]) == 0\n';
const FUNCTION = checkReference({
  test: `\n\nMETADATA = {'author': 'x'}\n\n\n${CHECK}`,
  entryPoint: 'doubled',
  beginning:
    'from typing import List\n\ndef twice(a: int) -> int:\n    return 2 * a\n\ndef doubled(all: List[int]) -> int:\n    """ x """\n',
});
const METHOD = checkReference({
  test: CHECK,
  entryPoint: 'Use this:\n```python\nclass Solution:\n    def doubled(self, all: List[int]) -> int:\n```',
  beginning: null,
});
const CALLED = checkReference({ test: `${CHECK}\n\ncheck(Solution().doubled)`, entryPoint: null, beginning: null });
const ASSERTIONS = assertionsReference(
  [
    'assert doubled([1, 2]) == 6',
    'assert math.isclose(doubled([]), 0)',
    'assert doubled("""a\n  b""") == "a\\n  ba\\n  b"',
  ],
  'import math',
);
/** An answer that leaves out the imports and the helper of the beginning. */
const BARE = 'def doubled(all: List[int]) -> int:\n    return sum(map(twice, all))';
const SOLUTION = 'class Solution:\n    def doubled(self, all: List[int]) -> int:\n        return 2 * sum(all)';

test.each([
  ['a function without its imports', FUNCTION, BARE, 'right', /all 1 tests/],
  ['a wrong method', METHOD, SOLUTION.replace('2 *', '3 *'), 'wrong', /AssertionError/],
  ['a method that the tests call themselves', CALLED, SOLUTION, 'right', /./],
  ['an assertion that fails', ASSERTIONS, 'def doubled(all):\n    return sum(all) * 2', 'wrong', /passed 2 of 3/],
] as const)('grades %s', async (name, reference, program, verdict, detail) => {
  const found = await verdictOn({ name, kind: 'unittest', reference, program, verdict }, runCode);
  expect(found).toMatchObject({ verdict, sentence: expect.stringMatching(detail) as string });
});

const taskOf = (id: string, reference: string, solution?: string): EvaluationTask => ({
  id,
  question: 'Write it.',
  reference,
  grader: 'unittest',
  domain: 'code',
  ...(solution !== undefined && { solution }),
});
const trial = (...tasks: EvaluationTask[]) =>
  tryReferences(tasks, (task, stop) => tryProgram(task, { runCode }, stop), signal());

test('tries the solution of a programming task, and loads the tests of a task without a solution', async () => {
  const broken = assertionsReference(['assert doubled( == 6'], '');
  const { failed, tried } = await trial(
    taskOf('a', ASSERTIONS),
    taskOf('b', FUNCTION, 'def doubled(all): return 0'),
    taskOf('c', broken),
  );
  expect(tried).toBe(3);
  expect(failed).toMatchObject([
    { taskId: 'b', message: expect.stringContaining('Its own solution fails.') as string },
    { taskId: 'c', message: expect.stringContaining('SyntaxError') as string },
  ]);
});
