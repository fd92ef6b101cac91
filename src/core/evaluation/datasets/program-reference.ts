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

/** The tests of a list of `{ input, output, testtype }`, or of the lists `inputs` and `outputs`, as in APPS. */
function testsOf(value: unknown, what: string) {
  const given = typeof value === 'string' ? parseJson(value) : value;
  const parsed = programTestList.safeParse(pairedTests(given) ?? given);
  if (!parsed.success) throw new UnfitRow(`${what} are not a list of objects with input, output and testtype.`);
  return parsed.data;
}

/** Tests on standard input from two lists of the same length. `null`: the value has no such lists, or names a function. */
function pairedTests(value: unknown): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'fn_name' in value) return null;
  const { input, output, inputs = input, outputs = output } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(inputs) || !Array.isArray(outputs) || inputs.length !== outputs.length) return null;
  return inputs.map((each: unknown, index) => ({
    input: linesOf(each),
    output: linesOf(outputs[index]),
    testtype: 'stdin',
  }));
}

/** Some tables have the lines of an input as a list. */
function linesOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join('\n') : value;
}
