/** @file Converts a row to a task, using the columns that the user assigned. */
import type { ChoiceMap, EvaluationTask, FieldMap, QuestionMap, TableRow, TestMap } from '../../contract';
import { choiceQuestion, hasOptions, indexOfLetter, letterOf } from './multiple-choice';
import { readOptions, type Options } from './options';
import { programReference, unitTestReference } from './program-reference';
import { referenceText } from './reference-text';
import { listOfTexts, optionalText, requiredText, textOf, UnfitRow, valueAt } from './row-fields';
import { assertionsReference, checkReference, pythonOf } from './unit-test-code';

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

/** The columns that a question template names in placeholders such as `{{column}}` and `{{column?}}`. */
export function templateColumns(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, placeholder]) => columnOf(placeholder ?? '').column);
}

function columnOf(placeholder: string): { readonly column: string; readonly isOptional: boolean } {
  const name = placeholder.trim();
  const isOptional = name.endsWith('?');
  return { column: isOptional ? name.slice(0, -1).trimEnd() : name, isOptional };
}

/**
 * Converts a row to a task.
 * @param number row number, counted from 1. It becomes the task's id if no column has ids
 * @throws UnfitRow
 */
export function taskByColumns(row: TableRow, number: number, map: FieldMap): EvaluationTask {
  const id = map.id === null ? String(number) : requiredText(row, map.id);
  const group = map.group === null ? null : optionalText(row, map.group);
  const solution = map.solution === null ? null : solutionOf(row, map.solution, map.tests);
  const question = questionOf(row, map.question);
  return {
    id,
    ...(map.choices
      ? choiceOf(row, id, question, map.choices, map.reference)
      : { question, ...referenceOf(row, map, question) }),
    grader: map.grader,
    domain: map.domain,
    ...(group !== null && { group }),
    ...(solution !== null && { solution }),
  };
}

function questionOf(row: TableRow, map: QuestionMap): string {
  if (map.kind === 'column') return requiredText(row, map.column);
  const text = map.text.replaceAll(PLACEHOLDER, (_, placeholder: string) => {
    const { column, isOptional } = columnOf(placeholder);
    const value = valueAt(row, column);
    const lines = Array.isArray(value) ? listOfTexts(value)?.join('\n') : undefined;
    return lines ?? (isOptional ? (optionalText(row, column) ?? '') : requiredText(row, column));
  });
  return text.trim();
}

function referenceOf(row: TableRow, map: FieldMap, question: string): { reference?: string } {
  if (map.tests) return { reference: testsOf(row, map.tests) };
  if (map.reference === null) return {};
  const text = referenceText(valueAt(row, map.reference), map.grader, map.referencePart);
  if (text === null) throw new UnfitRow(`The field “${map.reference}” is missing or empty.`);
  return { reference: map.grader === 'letter' ? letterIn(text, question) : text };
}

/** The letter of the right option of a question that contains its options. */
function letterIn(reference: string, question: string): string {
  if (!hasOptions(question)) throw new UnfitRow('The question contains no options. Choose the columns of the options.');
  const letter = letterOf(reference);
  if (letter === null) throw new UnfitRow('The reference is not the letter of an option.');
  return letter;
}

function testsOf(row: TableRow, map: TestMap): string {
  switch (map.kind) {
    case 'cases':
      return programReference({
        tests: valueAt(row, map.tests),
        privateTests: map.privateTests === null ? null : valueAt(row, map.privateTests),
        functionName: map.functionName === null ? null : optionalText(row, map.functionName),
      });
    case 'unittest':
      return unitTestReference({
        test: requiredText(row, map.test),
        entryPoint: requiredText(row, map.entryPoint),
        libraries: map.libraries === null ? [] : listAt(row, map.libraries),
      });
    case 'check':
      return checkReference({
        test: requiredText(row, map.test),
        entryPoint: map.entryPoint === null ? null : requiredText(row, map.entryPoint),
        beginning: map.beginning === null ? null : optionalText(row, map.beginning),
      });
    case 'asserts': {
      const setup = map.setup === null ? null : valueAt(row, map.setup);
      const tests = requiredText(row, map.tests);
      return assertionsReference(
        listOfTexts(valueAt(row, map.tests)) ?? [tests],
        listOfTexts(setup)?.join('\n') ?? textOf(setup) ?? '',
      );
    }
    default:
      return map satisfies never;
  }
}

function listAt(row: TableRow, column: string): readonly string[] {
  const list = listOfTexts(valueAt(row, column));
  if (list === null) throw new UnfitRow(`The field “${column}” is not a list of texts.`);
  return list;
}

/** The solution as a whole program. If a row has several, the first one. */
function solutionOf(row: TableRow, column: string, tests: TestMap | null): string | null {
  const value = valueAt(row, column);
  const text = (Array.isArray(value) ? listOfTexts(value)?.[0] : textOf(value)) ?? null;
  if (text === null) return null;
  const code = pythonOf(text);
  const beginning = tests?.kind === 'check' && tests.beginning !== null ? optionalText(row, tests.beginning) : null;
  // A solution whose first line is indented continues the beginning. Other solutions are whole programs.
  const isContinued = /^[ \t]/.test(code.replace(/^(?:[ \t]*\n)+/, ''));
  return beginning !== null && isContinued ? `${beginning}\n${code}` : code;
}

function choiceOf(row: TableRow, id: string, question: string, map: ChoiceMap, reference: string | null) {
  const options = optionsOf(row, map);
  const right = rightOption(row, options, map, reference);
  const order = map.shuffleSeed === null ? null : { seed: map.shuffleSeed, id };
  return choiceQuestion(question, options.texts, right, order);
}

/**
 * The options of a question, without empty options. Leaving out an empty option changes the letter and the
 * number of every option after it. So the row is rejected if the answer is a letter or a number, and an empty
 * option comes before another option.
 */
function optionsOf(row: TableRow, { columns, answer }: ChoiceMap): Options {
  const [only] = columns;
  if (only !== undefined && columns.length === 1) {
    const options = readOptions(valueAt(row, only));
    if (options === null) throw new UnfitRow(`The field “${only}” has no options that Podium can read.`);
    return options;
  }
  const texts = columns.map((column) => textOf(valueAt(row, column)));
  const last = texts.findLastIndex((option) => option !== null);
  const gap = columns[texts.indexOf(null)];
  const isByPlace = answer === 'letter' || answer === 'index' || answer === 'number';
  if (isByPlace && gap !== undefined && texts.indexOf(null) < last) {
    throw new UnfitRow(`The option “${gap}” is empty, but a later option is not.`);
  }
  return { texts: texts.filter((option) => option !== null), labels: null, right: null };
}

function rightOption(row: TableRow, options: Options, map: ChoiceMap, reference: string | null): number {
  if (map.answer === 'marked') return options.right ?? -1;
  if (map.answer === 'first' || reference === null) return 0;
  return indexOfAnswer(requiredText(row, reference), options, map.answer);
}

/** The index of the option that an answer names. −1: none. */
export function indexOfAnswer(
  text: string,
  { texts, labels }: Options,
  kind: Exclude<ChoiceMap['answer'], 'first' | 'marked'>,
): number {
  const answer = text.trim();
  switch (kind) {
    case 'letter': {
      const bare = answer.replace(/^\(|(?<![).:])[).:]+$/g, '').toUpperCase();
      const labelled = labels?.findIndex((label) => label.trim().toUpperCase() === bare) ?? -1;
      return labelled >= 0 ? labelled : indexOfLetter(answer);
    }
    case 'index':
      return Number(answer);
    case 'number':
      return Number(answer) - 1;
    case 'text': {
      const same = texts.findIndex((option) => option.trim() === answer);
      return same >= 0 ? same : texts.findIndex((option) => option.trim().toLowerCase() === answer.toLowerCase());
    }
    default:
      return kind satisfies never;
  }
}
