/** @file Checks whether a programming task can be graded: its libraries must exist and its own solution must pass. */
import { FaultError, isAbort, isNotGradable, sha256Hex, type CodeRunner, type Fault } from '../../contract';
import type { GraderParts } from '../grader-parts';
import { PYTHON_LIMITS, runProgram } from '../python';
import { loadFailure, runUnitTests, UNITTEST_LIMITS } from '../unittest';
import { UNITTEST_HARNESS } from './harness';
import { runPiece, withHarness } from './program-session';
import { notGradable, readTests, type ProgramKind, type ProgramTask } from './program-task';

/** Time limit for importing the libraries of a task, ms. */
const IMPORT_TIME = 60_000;

/** Without a program, tests fail at once, unless they load large modules. */
const LOAD_LIMITS = { ...UNITTEST_LIMITS, timeLimit: 60_000 };

type Checks = Map<string, Promise<Fault | null>>;
/** Caches the results of the checks for each `CodeRunner`, keyed by a digest of the task. */
const checksOf = new WeakMap<CodeRunner, Checks>();

/**
 * Checks a task. The first call runs the task's solution, and later calls share the result. Rejects with a
 * `FaultError` (`internal`) if Python can't start, and with an `AbortError` on abort.
 * @returns the fault `not-gradable` or `nothing-to-grade`, or `null` if the task can be graded
 */
export async function checkProgramTask(
  task: ProgramTask,
  kind: ProgramKind,
  parts: GraderParts,
  signal: AbortSignal,
): Promise<Fault | null> {
  const { runCode } = parts;
  if (!runCode) return notGradable('Programs can’t be run here.');
  const checks = checksOf.get(runCode) ?? new Map<string, Promise<Fault | null>>();
  checksOf.set(runCode, checks);
  const key = sha256Hex(JSON.stringify([kind, task.reference, task.solution]));
  const shared = checks.get(key);
  const result = shared ?? check(task, kind, parts, runCode, signal);
  checks.set(key, result);
  try {
    return await result;
  } catch (thrown) {
    // The check itself failed, so its result is not cached.
    if (checks.get(key) === result) checks.delete(key);
    // Another caller started this check and aborted it, so this caller repeats it.
    if (shared && isAbort(thrown) && !signal.aborted) return checkProgramTask(task, kind, parts, signal);
    throw thrown;
  }
}

async function check(
  task: ProgramTask,
  kind: ProgramKind,
  { openPrivateTests }: GraderParts,
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<Fault | null> {
  try {
    const tests = await readTests(task, kind, openPrivateTests, signal);
    if (tests.kind === 'unittest') {
      const missing = await missingLibraries(tests.libraries, runner, signal);
      if (missing !== '') return notGradable(`It needs Python packages that are not available here: ${missing}.`);
    }
    if (task.solution === undefined) return null;
    const { correct, detail } = await (tests.kind === 'python'
      ? runProgram(task.solution, tests, PYTHON_LIMITS, runner, signal)
      : runUnitTests(task.solution, tests, UNITTEST_LIMITS, runner, signal));
    return correct ? null : notGradable(`Its own solution fails. ${detail}`);
  } catch (thrown) {
    if (thrown instanceof FaultError && isNotGradable(thrown.fault)) return thrown.fault;
    throw thrown;
  }
}

/** Loads the unit tests of a task that has no solution. @returns a fault `not-gradable`. `null`: the tests can be loaded */
export async function testsFault(
  task: ProgramTask,
  { runCode }: GraderParts,
  signal: AbortSignal,
): Promise<Fault | null> {
  if (!runCode) return notGradable('Programs can’t be run here.');
  const tests = await readTests(task, 'unittest', undefined, signal);
  if (tests.kind !== 'unittest') return null;
  const failure = await loadFailure(tests, LOAD_LIMITS, runCode, signal);
  return failure === null ? null : notGradable(`Its tests can’t be loaded: ${failure}`);
}

/**
 * Lists the modules that can't be imported, separated by commas. Lists all modules if this check itself
 * fails.
 */
async function missingLibraries(
  libraries: readonly string[],
  runner: CodeRunner,
  signal: AbortSignal,
): Promise<string> {
  if (libraries.length === 0) return '';
  return withHarness(UNITTEST_HARNESS, runner, UNITTEST_LIMITS.memoryLimit, signal, async (session) => {
    const request = { timeLimit: IMPORT_TIME, stdin: libraries.join('\n') };
    const { result = '', fault: found } = await runPiece(session, 'missing()', request, signal);
    return found ? libraries.join(', ') : result.replaceAll(' ', ', ');
  });
}
