/** @file Finds the tests of programming tasks in a table, by their values: Python code, assertions, or inputs with outputs. */
import { isRecord, parseJson, type FieldMap, type TestMap } from '../../contract';
import { COMPLETE_CODE, PASS_TESTS, PROGRAM, STARTER } from './program-wordings';
import { listOfTexts, textOf } from './row-fields';
import { exactlyNamed, type TableField } from './table-fields';

export type SuggestedTests = Pick<FieldMap, 'grader' | 'tests' | 'solution'> & {
  /** A template in which `{{}}` stands for the question. */
  readonly wording: string;
};

const SOLUTIONS = [
  'canonicalsolution',
  'solution',
  'code',
  'referencesolution',
  'solutions',
  'completion',
  'goldsolution',
];
const ENTRY_POINTS = ['entrypoint', 'functionname', 'funcname', 'fnname', 'methodname', 'function'];
const STARTERS = ['startercode', 'prompt', 'codeprompt', 'signature', 'problem', 'question', 'query'];
const SETUPS = ['testimports', 'testsetupcode', 'testsetup', 'setupcode', 'setup', 'imports'];
const LIBRARIES = ['libs', 'libraries', 'packages', 'requirements'];

/** `null`: the table has no tests. */
export function suggestTests(fields: readonly TableField[]): SuggestedTests | null {
  const code = (pattern: RegExp) => fields.find(({ texts }) => texts?.every((text) => pattern.test(text)));
  const path = (names: readonly string[]) => exactlyNamed(fields, names)?.path ?? null;
  const solution = path(SOLUTIONS);
  const unittest = code(/\bclass TestCases\b/);
  const entryPoint = path(ENTRY_POINTS);
  if (unittest && entryPoint !== null) {
    const tests = { kind: 'unittest', test: unittest.path, entryPoint, libraries: path(LIBRARIES) } as const;
    return { grader: 'unittest', tests, solution, wording: COMPLETE_CODE };
  }
  const check = code(/\bdef check\s*\(/);
  if (check) return { grader: 'unittest', ...checkOf(check, fields), solution };
  const asserts = fields.find(({ values }) => values.length > 0 && values.every(isAssertions));
  if (asserts) {
    const tests = { kind: 'asserts', tests: asserts.path, setup: path(SETUPS) } as const;
    return { grader: 'unittest', tests, solution, wording: PASS_TESTS.replace('{{tests}}', `{{${asserts.path}}}`) };
  }
  const cases = fields.filter(({ values }) => values.length > 0 && values.every(isCases));
  const [first] = cases;
  if (!first) return null;
  const functionName = path(ENTRY_POINTS);
  const starter = exactlyNamed(fields, ['startercode'])?.path;
  return {
    grader: 'python',
    tests: { kind: 'cases', tests: first.path, privateTests: cases[1]?.path ?? null, functionName },
    solution,
    wording:
      functionName !== null && starter !== undefined ? STARTER.replace('{{starter}}', `{{${starter}?}}`) : PROGRAM,
  };
}

function checkOf(
  check: TableField,
  fields: readonly TableField[],
): { readonly tests: TestMap; readonly wording: string } {
  const isCalled = check.texts?.every((text) => /^check\s*\(/m.test(text)) === true;
  const starters = fields.filter(
    ({ path, texts }) => path !== check.path && texts?.every((text) => /\bdef\s+\w+\s*\(/.test(text)),
  );
  const starter = exactlyNamed(starters, STARTERS);
  const named = exactlyNamed(fields, ENTRY_POINTS);
  const entryPoint = isCalled ? null : ((named ?? starter)?.path ?? null);
  // A prompt of nothing but code is the beginning of the program.
  const isCode = starter?.texts?.every((text) => /^\s*(?:(?:from|import|def|class)\b|[@#])/.test(text)) === true;
  const beginning = isCode && starter ? starter.path : null;
  const tests = { kind: 'check', test: check.path, entryPoint, beginning } as const;
  return {
    tests,
    wording: beginning === null ? '{{}}\n\nPut the whole code into one block of Python code.' : COMPLETE_CODE,
  };
}

function isAssertions(value: unknown): boolean {
  const tests = listOfTexts(value) ?? (typeof value === 'string' ? [value] : []);
  return tests.length > 0 && tests.every((test) => /^\s*assert\b/.test(test));
}

/** Lists of objects with an input and an output, or two lists of inputs and outputs. */
function isCases(value: unknown): boolean {
  const given = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
  if (Array.isArray(given)) {
    const isCase = (each: unknown) => isRecord(each) && typeof each['input'] === 'string' && 'testtype' in each;
    return given.length > 0 && given.every(isCase);
  }
  if (!isRecord(given)) return false;
  const { input, output, inputs = input, outputs = output } = given;
  return Array.isArray(inputs) && Array.isArray(outputs) && inputs.length > 0 && textOf(inputs[0]) !== null;
}
