/** @file Runs LiveCodeBench tests on a program. Each test gives standard input or calls a function. */
import type { CodeRunner, CodeSession, Verdict } from '../contract';
import type { ProgramTest } from '../contract/evaluation/program-tests';
import { PYTHON_HARNESS } from './programs/harness';
import { failureOf, runPiece, shown, SPARE_OUTPUT, withHarness } from './programs/program-session';
import { canonicalJson, canonicalReply } from './programs/python-value';
import { isSameOutput } from './programs/same-output';

export interface ProgramLimits {
  /** Maximum running time in ms of one LiveCodeBench test, or of all tests in a BigCodeBench `TestCase` together. */
  readonly timeLimit: number;
  /** Maximum memory of the interpreter, bytes. */
  readonly memoryLimit: number;
}

/**
 * LiveCodeBench's time limit for one test, and the sandbox's default memory limit. LiveCodeBench also limits all n
 * tests together to 7 n + 5 seconds. Podium omits this limit, because n tests take at most 6 n seconds.
 */
export const PYTHON_LIMITS: ProgramLimits = { timeLimit: 6_000, memoryLimit: 512 * 2 ** 20 };

export interface PythonTask {
  readonly tests: readonly ProgramTest[];
  /** `null`: the program reads standard input. */
  readonly functionName: string | null;
}

/**
 * Runs the tests on a program in order, in one session, and stops at the first failure. Rejects with a `FaultError`
 * (`internal`) if Python can't start.
 */
export async function runProgram(
  program: string,
  task: PythonTask,
  limits: ProgramLimits,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<Verdict> {
  return withHarness(PYTHON_HARNESS, runner, limits.memoryLimit, signal, async (session) => {
    const unready = await prepare(program, task, limits, session, signal);
    if (unready !== null) return wrong(`The program could not run: ${unready}`);
    const { length } = task.tests;
    for (const [index, test] of task.tests.entries()) {
      const failure = await failureIn(test, limits, session, signal);
      if (failure !== null) return wrong(`Test ${index + 1} of ${length} failed: ${failure}`);
    }
    return { correct: true, detail: `The program passed all ${length} tests.` };
  });
}

/**
 * Runs all tests on a program, also after a failure. Rejects with a `FaultError` (`internal`) if Python can't start.
 * @returns the numbers of the tests that failed, from 1
 */
export async function failedTests(
  program: string,
  task: PythonTask,
  limits: ProgramLimits,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const failed: number[] = [];
  let next = 0;
  while (next < task.tests.length) {
    await withHarness(PYTHON_HARNESS, runner, limits.memoryLimit, signal, async (session) => {
      const isReady = (await prepare(program, task, limits, session, signal)) === null;
      for (const test of task.tests.slice(next)) {
        next += 1;
        if (isReady && (await failureIn(test, limits, session, signal)) === null) continue;
        failed.push(next);
        // A program that exceeds a limit ends its session, so the next test needs a new one.
        if (isReady && (await runPiece(session, 'pass', limits, signal)).fault) return;
      }
    });
  }
  return failed;
}

/** Loads the program. @returns why the program can't run, or `null` if it can */
async function prepare(
  program: string,
  { functionName }: PythonTask,
  { timeLimit }: ProgramLimits,
  session: CodeSession,
  signal: AbortSignal,
): Promise<string | null> {
  const loaded = failureOf(await runPiece(session, 'load()', { timeLimit, stdin: program }, signal));
  if (loaded !== null || functionName === null) return loaded;
  return failureOf(await runPiece(session, `define(${JSON.stringify(functionName)})`, { timeLimit }, signal));
}

/** Runs one test. @returns how the test failed, or `null` if it passed */
async function failureIn(
  { input, output, testtype }: ProgramTest,
  { timeLimit }: ProgramLimits,
  session: CodeSession,
  signal: AbortSignal,
): Promise<string | null> {
  const isCall = testtype === 'functional';
  const outputLimit = SPARE_OUTPUT + 4 * output.length;
  const request = { timeLimit, stdin: input, outputLimit };
  const outcome = await runPiece(session, isCall ? 'call()' : 'run_script()', request, signal);
  const failure = failureOf(outcome);
  if (failure !== null) return failure;
  const reply = isCall ? (outcome.result ?? '') : outcome.stdout;
  const isSame = isCall ? canonicalReply(reply) === canonicalJson(output) : isSameOutput(output, reply);
  if (isSame) return null;
  return `it ${isCall ? 'returned' : 'printed'} ${shown(reply) || 'nothing'} instead of ${shown(output)}.`;
}

function wrong(detail: string): Verdict {
  return { correct: false, detail };
}
