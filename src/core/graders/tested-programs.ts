/** @file Groups the programs in several answers by the tests of their task that they fail. The tests run as when answers are graded. */
import { fault, FaultError, GRADERS, type CodeRunner, type EvaluationTask } from '../contract';
import type { AnswerGroup, GivenAnswer } from './disagreement';
import type { GraderParts } from './grader-parts';
import { checkProgramTask } from './programs/check-task';
import { findProgram } from './programs/find-program';
import { notGradable, readTests, type ProgramKind, type TaskTests } from './programs/program-task';
import { failedTests, PYTHON_LIMITS } from './python';
import { failedUnitTests, UNITTEST_LIMITS } from './unittest';

/** Maximum number of failed tests that are named. */
const MOST_NAMED = 5;

/** Whether the answers to a task are programs that have tests. */
export function hasTests(
  task: Pick<EvaluationTask, 'grader'>,
): task is EvaluationTask & { readonly grader: ProgramKind } {
  return GRADERS[task.grader].by === 'sandbox';
}

/**
 * Runs the tests on the programs, one after the other. Equal programs run once. Rejects with a `FaultError` if the task can't be
 * graded here or Python can't start, and with an `AbortError` on abort.
 * @returns the largest group first. Answers without a program are a group of their own
 */
export async function groupByTests(
  answers: readonly GivenAnswer[],
  task: EvaluationTask,
  parts: GraderParts,
  signal: AbortSignal,
): Promise<readonly AnswerGroup[]> {
  if (!hasTests(task)) throw new FaultError(fault('nothing-to-grade', 'This task has no tests.'));
  const { runCode } = parts;
  if (!runCode) throw new FaultError(notGradable('Programs can’t be run here.'));
  const found = await checkProgramTask(task, task.grader, parts, signal);
  if (found) throw new FaultError(found);
  const tests = await readTests(task, task.grader, parts.openPrivateTests, signal);
  const results = new Map<string | null, Result>([[null, { key: '', words: 'no program' }]]);
  const groups = new Map<string, { readonly answer: string; readonly by: string[] }>();
  for (const { by, text } of answers) {
    const program = findProgram(text, task.grader, 'strict');
    const result = results.get(program) ?? (await resultOf(program ?? '', tests, runCode, signal));
    results.set(program, result);
    const group = groups.get(result.key) ?? { answer: result.words, by: [] };
    groups.set(result.key, group);
    group.by.push(by);
  }
  return [...groups.values()].toSorted((one, other) => other.by.length - one.by.length);
}

interface Result {
  /** The same for programs that fail the same tests. */
  readonly key: string;
  readonly words: string;
}

async function resultOf(program: string, tests: TaskTests, runCode: CodeRunner, signal: AbortSignal): Promise<Result> {
  const failed =
    tests.kind === 'unittest'
      ? await failedUnitTests(program, tests, UNITTEST_LIMITS, runCode, signal)
      : (await failedTests(program, tests, PYTHON_LIMITS, runCode, signal)).map((number) => `test ${number}`);
  if (failed === null) return { key: 'none', words: 'the tests could not run' };
  return { key: `failed ${failed.join(' ')}`, words: failureWords(failed, tests) };
}

function failureWords(failed: readonly string[], tests: TaskTests): string {
  const of = tests.kind === 'python' ? tests.tests.length : null;
  if (failed.length === 0) return of === null ? 'passes all tests' : `passes all ${of} tests`;
  if (failed.length === of) return `fails all ${of} tests`;
  const others = failed.length - MOST_NAMED;
  return `fails ${failed.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
