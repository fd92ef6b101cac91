/** @file Checks the user's assignment of table columns to the fields of a task. Needs no rows. */
import { GRADERS, type FieldMap, type TableColumn, type TestMap } from '../../contract';
import { templateColumns } from './column-map';

/** What is wrong with the assignment, as a sentence. `null`: it is valid. */
export function mapProblem(map: FieldMap, columns: readonly TableColumn[]): string | null {
  return questionProblem(map) ?? graderProblem(map) ?? missingColumn(map, columns);
}

function questionProblem({ question }: FieldMap): string | null {
  if (question.kind === 'column') return question.column === '' ? 'Choose the column of the question.' : null;
  if (templateColumns(question.text).length > 0) return null;
  return 'The template names no column, so all questions would be the same. Write a column’s name in double braces: {{question}}.';
}

function graderProblem({ grader, reference, referencePart, choices, tests, solution }: FieldMap): string | null {
  const { by, needs } = GRADERS[grader];
  if (choices && grader !== 'letter')
    return 'Only the grader for letters can use options. Remove the options or choose that grader.';
  if (choices?.columns.length === 0) return 'Choose the columns of the options.';
  if (choices?.shuffleSeed === null && choices.answer === 'first') {
    return 'The right option would always be A. Shuffle the options.';
  }
  if (needs === 'cases' && tests?.kind !== 'cases') return 'Choose the column of the tests.';
  if (needs === 'unit-tests' && (!tests || tests.kind === 'cases'))
    return 'Choose the columns of the unit test and the function.';
  if (tests && by !== 'sandbox')
    return 'Only graders for programs can use tests. Remove the tests or choose such a grader.';
  if (solution !== null && !tests) return 'Only programming tasks can have a solution. Remove it.';
  if (referencePart?.kind === 'after' && referencePart.marker === '') return 'Enter the text before the reference.';
  if (choices?.answer === 'marked') {
    return choices.columns.length === 1 ? null : 'Only a single column of options can mark the right one.';
  }
  if (grader === 'letter' && !choices && !reference) return 'Choose the columns of the options.';
  if (needs === 'reference' && !reference && choices?.answer !== 'first') return 'Choose the column of the reference.';
  return null;
}

function missingColumn(map: FieldMap, columns: readonly TableColumn[]): string | null {
  const names = new Set(columns.map(({ name }) => name));
  const missing = columnsOf(map).find((column) => !names.has(column) && !names.has(column.split('.')[0] ?? ''));
  return missing === undefined ? null : `The table has no column “${missing}”.`;
}

/** All columns that a map reads. */
export function columnsOf({ question, reference, id, group, choices, tests, solution }: FieldMap): readonly string[] {
  return [
    ...(question.kind === 'column' ? [question.column] : templateColumns(question.text)),
    ...(choices?.columns ?? []),
    ...[reference, id, group, solution, ...(tests ? testColumns(tests) : [])].filter((column) => column !== null),
  ];
}

function testColumns(tests: TestMap): readonly (string | null)[] {
  switch (tests.kind) {
    case 'cases':
      return [tests.tests, tests.privateTests, tests.functionName];
    case 'unittest':
      return [tests.test, tests.entryPoint, tests.libraries];
    case 'check':
      return [tests.test, tests.entryPoint, tests.beginning];
    case 'asserts':
      return [tests.tests, tests.setup];
    default:
      return tests satisfies never;
  }
}
