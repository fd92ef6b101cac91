/**
 * @file Creates the references of programming tasks. A reference is a JSON text with the tests of the task
 * (see `contract/evaluation/program-tests.ts`).
 */
import { parseJson } from '../../contract';
import { programTestList, type ProgramTests, type UnitTests } from '../../contract/evaluation/program-tests';
import { UnfitRow } from './row-fields';

/** Base64, without whitespace. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The reference for the grader `python`. Private tests that arrive compressed stay compressed.
 * @throws UnfitRow
 */
export function programReference(fields: {
  readonly tests: unknown;
  readonly privateTests: unknown;
  readonly functionName: string | null;
}): string {
  const { privateTests, functionName } = fields;
  const isCompressed = typeof privateTests === 'string' && BASE64.test(privateTests);
  const open = isCompressed || isNothing(privateTests) ? [] : testsOf(privateTests, 'The private tests');
  const tests = [...(isNothing(fields.tests) ? [] : testsOf(fields.tests, 'The tests')), ...open];
  if (tests.length === 0 && !isCompressed) throw new UnfitRow('The task has no tests.');
  return JSON.stringify({
    tests,
    ...(isCompressed && { privateTests }),
    ...(functionName !== null && { functionName }),
  } satisfies ProgramTests);
}

/** The reference for the grader `unittest`. */
export function unitTestReference(tests: UnitTests): string {
  return JSON.stringify(tests);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function testsOf(value: unknown, what: string) {
  const parsed = programTestList.safeParse(typeof value === 'string' ? parseJson(value) : value);
  if (!parsed.success) throw new UnfitRow(`${what} are not a list of objects with input, output and testtype.`);
  return parsed.data;
}
