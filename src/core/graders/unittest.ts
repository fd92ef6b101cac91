/** @file Runs the tests of a BigCodeBench task, a `unittest.TestCase`, on a program. */
import type { CodeOutcome, CodeRunner, Verdict } from '../contract';
import type { UnitTests } from '../contract/evaluation/program-tests';
import type { ProgramLimits } from './python';
import { UNITTEST_HARNESS } from './programs/harness';
import { failureOf, runPiece, shown, withHarness } from './programs/program-session';

/** BigCodeBench's time limit for all tests of a task together, and the sandbox's default memory limit. */
export const UNITTEST_LIMITS: ProgramLimits = { timeLimit: 240_000, memoryLimit: 512 * 2 ** 20 };

type LoadedTests = Pick<UnitTests, 'test' | 'beginning'>;

/**
 * Runs the tests after the program, in the same module. Rejects with a `FaultError` (`internal`) if Python can't start.
 *
 * The tests must share an interpreter with the program. Therefore a program that attacks Podium's harness can cheat.
 * However, a verdict that the program prints is ignored, and a program that changes `unittest` counts as wrong.
 */
export async function runUnitTests(
  program: string,
  tests: LoadedTests,
  limits: ProgramLimits,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<Verdict> {
  return verdictOf(await outcomeOf(program, tests, limits, runner, signal));
}

/**
 * Like `runUnitTests`. @returns the names of the tests that failed. `null`: the tests could not run, or the program prevented them
 * from ending
 */
export async function failedUnitTests(
  program: string,
  tests: LoadedTests,
  limits: ProgramLimits,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const outcome = await outcomeOf(program, tests, limits, runner, signal);
  const [summary = '', ...issues] = failureOf(outcome) === null ? (outcome.result ?? '').split('\n') : [];
  if (summary.startsWith('passed ')) return [];
  if (!summary.startsWith('failed ')) return null;
  // An issue is the name of a test with its classes, and what went wrong. Several parts of a test may fail.
  return [...new Set(issues.map((issue) => issue.replace(/:.*/, '').replace(/^.*\./, '')))].toSorted();
}

/** Loads the tests without a program. @returns why they can't be loaded, as a clause such as “it raised SyntaxError.” */
export async function loadFailure(
  tests: LoadedTests,
  limits: ProgramLimits,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<string | null> {
  return failureOf(await outcomeOf('', tests, limits, runner, signal));
}

function outcomeOf(
  program: string,
  { test, beginning = '' }: LoadedTests,
  { timeLimit, memoryLimit }: ProgramLimits,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<CodeOutcome> {
  return withHarness(UNITTEST_HARNESS, runner, memoryLimit, signal, (session) => {
    const stdin = JSON.stringify([`${beginning}${program}`, test]);
    return runPiece(session, 'run_tests()', { timeLimit, stdin }, signal);
  });
}

/** Converts the outcome of the harness function `run_tests` to a verdict. */
export function verdictOf(outcome: CodeOutcome): Verdict {
  const failure = failureOf(outcome);
  if (failure !== null) return wrong(`The tests could not run: ${failure}`);
  const [summary = '', ...issues] = (outcome.result ?? '').split('\n');
  const passed = /^passed (\d+)$/.exec(summary);
  if (passed) return { correct: true, detail: `The program passed all ${passed[1]} tests.` };
  if (summary === 'ended') return wrong('The program exited before the tests finished.');
  if (summary === 'changed') return wrong('The program changed the unittest module, so its result does not count.');
  const failed = /^failed (\d+) of (\d+)$/.exec(summary);
  if (!failed) return wrong('The tests ended without a result.');
  const [first] = issues;
  return wrong(
    `The program passed ${failed[1]} of ${failed[2]} tests.${first ? ` First failure: ${shown(first)}` : ''}`,
  );
}

function wrong(detail: string): Verdict {
  return { correct: false, detail };
}
