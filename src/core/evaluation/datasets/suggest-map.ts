/**
 * @file Suggests a map for a table that Podium doesn't recognize: which column has the question, which has the
 * answer, and so on. The suggestion is based on the column names and the preview rows.
 */
import { isConfidentialTable, type ChoiceMap, type FieldMap, type GraderKind, type Table } from '../../contract';
import { indexOfLetter } from './multiple-choice';
import { listOfTexts, optionalText, valueAt } from './row-fields';

/** Names of columns for each part of a task, in the order of preference, in lower case. */
const QUESTION = ['question', 'problem', 'prompt', 'query', 'instruction', 'input', 'text'];
const REFERENCE = ['answer', 'reference', 'target', 'gold', 'label', 'expected', 'final_answer', 'output', 'solution'];
const ID = ['id', 'task_id', 'question_id', 'unique_id', 'problem_id', 'uid', 'record id'];
const GROUP = ['subject', 'category', 'topic', 'group', 'type', 'difficulty', 'level', 'domain', 'source'];
const OPTIONS = ['choices', 'options'];

/** A number, a fraction, or text with `\`, `^` or `=`, such as LaTeX. */
const MATHEMATICAL = /^(?:\s*[-+]?[\d.,/]+%?\s*|[^\\^=\n]*[\\^=].*)$/;

export function suggestMap(table: Pick<Table, 'columns' | 'preview'> & Partial<Pick<Table, 'source'>>): FieldMap {
  const { columns, preview } = table;
  const named = (wanted: readonly string[]) =>
    wanted.flatMap((name) => columns.filter((column) => column.name.toLowerCase() === name)).at(0)?.name ?? null;
  const options = named(OPTIONS);
  const reference = named(REFERENCE);
  const isList = options !== null && preview.every((row) => listOfTexts(valueAt(row, options)) !== null);
  const references = reference === null ? [] : preview.map((row) => optionalText(row, reference) ?? '');
  const choices: ChoiceMap | null =
    isList && reference !== null ? { columns: [options], answer: answerKind(references), shuffleSeed: null } : null;
  const grader = choices ? 'letter' : graderOf(references);
  return {
    grader,
    domain: grader === 'mathematics' ? 'maths' : 'knowledge',
    question: { kind: 'column', column: named(QUESTION) ?? columns.find(({ kind }) => kind === 'text')?.name ?? '' },
    reference,
    id: named(ID),
    group: named(GROUP),
    choices,
    tests: null,
    solution: null,
    isConfidential: isConfidentialTable(table),
  };
}

function answerKind(references: readonly string[]): ChoiceMap['answer'] {
  if (references.every((text) => indexOfLetter(text) >= 0)) return 'letter';
  return references.every((text) => /^\d$/.test(text.trim())) ? 'index' : 'text';
}

function graderOf(references: readonly string[]): GraderKind {
  if (references.length === 0) return 'person';
  return references.every((text) => MATHEMATICAL.test(text)) ? 'mathematics' : 'exact';
}
