/** @file Reads the tests in the reference of a programming task. */
import { fault, FaultError, parseJson, type Fault, type Task } from '../../contract';
import {
  programTests,
  unitTests,
  type OpenPrivateTests,
  type ProgramTest,
  type ProgramTests,
  type UnitTests,
} from '../../contract/evaluation/program-tests';
import type { PythonTask } from '../python';
import { canonicalJson } from './python-value';

export type ProgramKind = 'python' | 'unittest';

/** The parts of a programming task that grading uses. `solution` is a correct program, if one is known. */
export type ProgramTask = Pick<Task, 'reference'> & { readonly solution?: string };

export type TaskTests = ({ readonly kind: 'python' } & PythonTask) | ({ readonly kind: 'unittest' } & UnitTests);

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Creates the fault for a task that can't be graded. @param reason one or more sentences for the user */
export function notGradable(reason: string): Fault {
  return fault('not-gradable', `This task can’t be graded here. ${reason}`);
}

/**
 * Reads the tests of a task. Rejects with a `FaultError`: `nothing-to-grade` if the task has no reference, and
 * `not-gradable` if the tests can't be read.
 */
export async function readTests(
  { reference }: ProgramTask,
  kind: ProgramKind,
  open: OpenPrivateTests | undefined,
  signal: AbortSignal,
): Promise<TaskTests> {
  if (!reference?.trim()) {
    throw new FaultError(fault('nothing-to-grade', 'This task has no tests, so its program cannot be graded.'));
  }
  const json = parseJson(reference);
  if (kind === 'unittest') {
    const { success, data } = unitTests.safeParse(json);
    if (!success) throw damaged();
    return { kind, ...data };
  }
  const { success, data } = programTests.safeParse(json);
  if (!success) throw damaged();
  return { kind, ...(await pythonTask(data, open, signal)) };
}

async function pythonTask(
  { tests: listed, privateTests, functionName }: ProgramTests,
  open: OpenPrivateTests | undefined,
  signal: AbortSignal,
): Promise<PythonTask> {
  if (privateTests !== undefined && !open) {
    throw new FaultError(notGradable('Its private tests can’t be opened here.'));
  }
  const opened = privateTests !== undefined && open ? await openTests(open, privateTests, signal) : [];
  const tests = [...listed, ...opened];
  const isCall = tests.some(({ testtype }) => testtype === 'functional');
  const hasName = functionName !== undefined && IDENTIFIER.test(functionName);
  const isReadable = tests.every(({ testtype, output }) => testtype === 'stdin' || canonicalJson(output) !== null);
  if (tests.length === 0 || (isCall && !hasName) || !isReadable) throw damaged();
  return { tests, functionName: (isCall && functionName) || null };
}

async function openTests(
  open: OpenPrivateTests,
  compressed: string,
  signal: AbortSignal,
): Promise<readonly ProgramTest[]> {
  try {
    return await open(compressed, signal);
  } catch (thrown) {
    throw thrown instanceof FaultError ? damaged() : thrown;
  }
}

function damaged(): FaultError {
  return new FaultError(notGradable('Its tests are damaged. Import the dataset again.'));
}
