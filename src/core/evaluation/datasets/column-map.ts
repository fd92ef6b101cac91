/** @file Converts a row to a task, using the columns that the user assigned. */
import type { ChoiceMap, EvaluationTask, FieldMap, QuestionMap, TableRow, TestMap } from '../../contract';
import { choiceQuestion, indexOfLetter } from './multiple-choice';
import { programReference, unitTestReference } from './program-reference';
import { listOfTexts, optionalText, requiredText, textOf, UnfitRow, valueAt } from './row-fields';

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

/** The columns that a question template names in placeholders such as `{{column}}`. */
export function templateColumns(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, column]) => column?.trim() ?? '');
}

/**
 * Converts a row to a task.
 * @param number row number, counted from 1. It becomes the task's id if no column has ids
 * @throws UnfitRow
 */
export function taskByColumns(row: TableRow, number: number, map: FieldMap): EvaluationTask {
  const id = map.id === null ? String(number) : requiredText(row, map.id);
  const group = map.group === null ? null : optionalText(row, map.group);
  const solution = map.solution === null ? null : optionalText(row, map.solution);
  const question = questionOf(row, map.question);
  return {
    id,
    ...(map.choices ? choiceOf(row, id, question, map.choices, map.reference) : { question, ...referenceOf(row, map) }),
    grader: map.grader,
    domain: map.domain,
    ...(group !== null && { group }),
    ...(solution !== null && { solution }),
  };
}

function questionOf(row: TableRow, map: QuestionMap): string {
  if (map.kind === 'column') return requiredText(row, map.column);
  return map.text.replaceAll(PLACEHOLDER, (_, column: string) => requiredText(row, column.trim()));
}

function referenceOf(row: TableRow, { tests, reference }: FieldMap): { reference?: string } {
  if (tests) return { reference: testsOf(row, tests) };
  return reference === null ? {} : { reference: requiredText(row, reference) };
}

function testsOf(row: TableRow, map: TestMap): string {
  if (map.kind === 'cases') {
    return programReference({
      tests: valueAt(row, map.tests),
      privateTests: map.privateTests === null ? null : valueAt(row, map.privateTests),
      functionName: map.functionName === null ? null : optionalText(row, map.functionName),
    });
  }
  const libraries = map.libraries === null ? [] : listOfTexts(valueAt(row, map.libraries));
  if (libraries === null) throw new UnfitRow(`The field “${map.libraries}” is not a list of texts.`);
  return unitTestReference({
    test: requiredText(row, map.test),
    entryPoint: requiredText(row, map.entryPoint),
    libraries,
  });
}

function choiceOf(row: TableRow, id: string, question: string, map: ChoiceMap, reference: string | null) {
  const options = optionsOf(row, map);
  const right = rightOption(row, options, map, reference);
  const order = map.shuffleSeed === null ? null : { seed: map.shuffleSeed, id };
  return choiceQuestion(question, options, right, order);
}

/**
 * The options of a question, without empty options. Leaving out an empty option changes the letter and the
 * number of every option after it. So the row is rejected if the answer is a letter or a number, and an empty
 * option comes before another option.
 */
function optionsOf(row: TableRow, { columns, answer }: ChoiceMap): readonly string[] {
  const [only] = columns;
  if (only !== undefined && columns.length === 1) {
    const options = listOfTexts(valueAt(row, only));
    if (options === null) throw new UnfitRow(`The field “${only}” is not a list of texts.`);
    return options;
  }
  const texts = columns.map((column) => textOf(valueAt(row, column)));
  const last = texts.findLastIndex((option) => option !== null);
  const gap = columns[texts.indexOf(null)];
  if ((answer === 'letter' || answer === 'index') && gap !== undefined && texts.indexOf(null) < last) {
    throw new UnfitRow(`The option “${gap}” is empty, but a later option is not.`);
  }
  return texts.filter((option) => option !== null);
}

function rightOption(row: TableRow, options: readonly string[], map: ChoiceMap, reference: string | null): number {
  if (map.answer === 'first' || reference === null) return 0;
  const answer = requiredText(row, reference).trim();
  switch (map.answer) {
    case 'letter':
      return indexOfLetter(answer);
    case 'index':
      return Number(answer);
    case 'text':
      return options.findIndex((option) => option.trim() === answer);
  }
}
