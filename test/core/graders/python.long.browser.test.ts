import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { failedTests, PYTHON_LIMITS } from '../../../src/core/graders/python';
import { readTests } from '../../../src/core/graders/programs/program-task';
import { createSandbox } from '../../../src/platform/sandbox/sandbox';
import { CALL_CASES } from '../../fixtures/programs/call-cases';
import { createSharedRoom } from '../../fixtures/programs/shared-room';
import { STDIN_CASES } from '../../fixtures/programs/stdin-cases';
import { verdictOn } from '../../fixtures/programs/verdict-on';

const own = createSandbox(systemClock);
const shared = createSharedRoom();
afterAll(() => {
  own.dispose();
  shared.dispose();
});

test.each([...STDIN_CASES, ...CALL_CASES])('a program that $name is $verdict', async (row) => {
  const found = await verdictOn(row, row.spoilsRoom ? own : shared);
  expect(found).toMatchObject({ verdict: row.verdict, sentence: expect.stringMatching(row.detail ?? /./) });
});

test.each([
  ['prints the sum of the first two', 'input()\nprint(sum(list(map(int, input().split()))[:2]))', [1, 3], shared],
  [
    'loops forever on the second test',
    'n = int(input())\nwhile n == 1: pass\nprint(sum(map(int, input().split())))',
    [2],
    own,
  ],
  ['is not valid Python', 'print(', [1, 2, 3], shared],
])('a program that %s fails only these tests', async (_, program, failed, runCode) => {
  const { signal } = new AbortController();
  const [row] = STDIN_CASES;
  const tests = row && (await readTests(row, 'python', undefined, signal));
  if (tests?.kind !== 'python') throw new Error('The case has no tests.');
  expect(await failedTests(program, tests, { ...PYTHON_LIMITS, timeLimit: 2_000 }, runCode, signal)).toEqual(failed);
});
