/** @file Every program gets the verdict that it deserves, in the real sandbox. */
import { afterAll, expect, test } from 'vitest';
import { FaultError, type Verdict } from '../../../../src/core/contract';
import { graderFor } from '../../../../src/core/graders/grader-for';
import { readTests } from '../../../../src/core/graders/programs/program-task';
import { PYTHON_LIMITS, runProgram } from '../../../../src/core/graders/python';
import { runUnitTests, UNITTEST_LIMITS } from '../../../../src/core/graders/unittest';
import { systemClock } from '../../../../src/platform/clock';
import { createSandbox } from '../../../../src/platform/sandbox/sandbox';
import { CALL_CASES } from '../../../fixtures/programs/call-cases';
import type { ProgramCase } from '../../../fixtures/programs/program-case';
import { STDIN_CASES } from '../../../fixtures/programs/stdin-cases';
import { UNITTEST_CASES } from '../../../fixtures/programs/unittest-cases';

const runCode = createSandbox(systemClock);
const { signal } = new AbortController();
afterAll(() => runCode.dispose());

const ALL = [...STDIN_CASES, ...CALL_CASES, ...UNITTEST_CASES];

test.each(ALL)('finds that a program is $verdict which $name ($kind)', async (row) => {
  const { verdict, detail } = row;
  const found = await verdictOn(row).catch((thrown: unknown) => {
    if (thrown instanceof FaultError) return thrown.fault;
    throw thrown;
  });
  const given = 'code' in found ? found.code : found.correct ? 'right' : 'wrong';
  const sentence = 'code' in found ? found.message : found.detail;
  expect(given, sentence).toBe(verdict);
  if (detail) expect(sentence).toMatch(detail);
});

/** By the grader itself, or with a shorter limit by what it calls. */
async function verdictOn({ kind, program, timeLimit, ...task }: ProgramCase): Promise<Verdict> {
  if (timeLimit === undefined) {
    const answer = `This should work.\n\n\`\`\`python\n${program}\n\`\`\`\n`;
    const grader = graderFor(kind, 'strict', { runCode });
    if (!grader) throw new Error(`There is no grader for ${kind}.`);
    return grader.grade({ question: 'Write a program.', ...task }, answer, signal);
  }
  const tests = await readTests(task, kind === 'python' ? 'python' : 'unittest', undefined, signal);
  return tests.kind === 'python'
    ? runProgram(program, tests, { ...PYTHON_LIMITS, timeLimit }, runCode, signal)
    : runUnitTests(program, tests.test, { ...UNITTEST_LIMITS, timeLimit }, runCode, signal);
}
