/**
 * @file Suggests a map for a table that Podium doesn't recognize: which column has the question, which has the
 * answer, and so on. The suggestion is based on the column names and on the values of the preview rows.
 */
import { isConfidentialTable, isRecord, type FieldMap, type QuestionMap, type Table } from '../../contract';
import { hasOptions, letterOf } from './multiple-choice';
import { readOptions } from './options';
import { listOfTexts, textOf } from './row-fields';
import { suggestChoices } from './suggest-choices';
import { suggestReference, type SuggestedReference } from './suggest-reference';
import { suggestTests } from './suggest-tests';
import { exactlyNamed, fieldsOf, isUnnamed, named, type TableField } from './table-fields';

/** Names of columns for each part of a task, in the order of preference, in lower case and without separators. */
const QUESTION = [
  'question',
  'problem',
  'prompt',
  'query',
  'instruction',
  'goal',
  'ctx',
  'sentence',
  'input',
  'text',
  'task',
  'content',
  'frage',
  'pregunta',
  'domanda',
  'вопрос',
  '问题',
  '题目',
];
/** What a question refers to. */
const CONTEXT = [
  'context',
  'contexts',
  'passage',
  'passages',
  'body',
  'story',
  'article',
  'paragraph',
  'document',
  'premise',
  'table',
];
/** The first words of columns that give the answer away. */
const WORKED = /^(?:answer|solution|steps?|rationale|explanation|analysis|reasoning|cot|proof|hints?)(?:$|[^\p{L}])/iu;
const ID = ['id', 'taskid', 'questionid', 'uniqueid', 'problemid', 'uid', 'recordid'];
const GROUP = ['subject', 'category', 'topic', 'group', 'type', 'difficulty', 'level', 'domain', 'source', 'subfield'];
/** The two answers of a question that can be right or wrong. */
const TRUTHS: readonly (readonly string[])[] = [
  ['true', 'false'],
  ['yes', 'no'],
];
/** Maximum length of an id or a group, in characters. */
const LONGEST_NAME = 100;

export function suggestMap(table: Pick<Table, 'columns' | 'preview'> & Partial<Pick<Table, 'source'>>): FieldMap {
  const fields = fieldsOf(table);
  const question = questionOf(fields);
  const asked = fields.filter(({ path }) => path !== question?.path);
  const tests = suggestTests(fields);
  const choices = tests ? null : suggestChoices(asked);
  const reference = tests || choices ? null : withLetters(suggestReference(asked), fields, question);
  const several = severalRight(reference, asked);
  const grader = tests?.grader ?? (choices ? 'letter' : several ? 'judge' : (reference?.grader ?? 'person'));
  return {
    grader,
    domain: tests ? 'code' : grader === 'mathematics' ? 'maths' : 'knowledge',
    question: wordingOf(question, fields, tests?.wording ?? several?.wording ?? null, reference),
    reference: choices?.reference ?? reference?.reference ?? null,
    ...(reference?.referencePart && { referencePart: reference.referencePart }),
    id: exactlyNamed(fields.filter(isUnique), ID)?.path ?? null,
    group: exactlyNamed(fields.filter(isShort), GROUP)?.path ?? null,
    choices: choices?.choices ?? null,
    tests: tests?.tests ?? null,
    solution: tests?.solution ?? null,
    isConfidential: isConfidentialTable(table),
  };
}

/** The grader of letters, if each reference is the letter of an option that the question contains. */
function withLetters(
  found: SuggestedReference | null,
  fields: readonly TableField[],
  question: Pick<TableField, 'texts'> | null,
): SuggestedReference | null {
  const values = fields.find(({ path }) => path === found?.reference)?.values ?? [];
  if (!found || found.referencePart || values.length === 0) return found;
  const isLetter = (text: unknown) => letterOf(textOf(text) ?? '') !== null;
  const isOneLetter = (value: unknown) =>
    Array.isArray(value) ? value.length === 1 && value.every(isLetter) : isLetter(value);
  return values.every(isOneLetter) && question?.texts?.every(hasOptions) ? { ...found, grader: 'letter' } : found;
}

/**
 * The wording of questions of which several options are right. A pattern would accept any one of their letters.
 * `null`: the references are no lists of letters, or no column has the options
 */
function severalRight(
  found: SuggestedReference | null,
  fields: readonly TableField[],
): { readonly wording: string } | null {
  const values = fields.find(({ path }) => path === found?.reference)?.values ?? [];
  const areLetters = (value: unknown) => listOfTexts(value)?.every((text) => letterOf(text) !== null) === true;
  if (found?.grader !== 'pattern' || !values.every(areLetters)) return null;
  const options = fields.find(
    ({ path, values: lists }) => path !== found.reference && lists.every((list) => readOptions(list)?.labels),
  );
  return options ? { wording: `{{}}\n\n{{${options.path}}}\n\nMore than one option can be right.` } : null;
}

/** The column with the question: by its name, or else the column with the longest texts. */
function questionOf(fields: readonly TableField[]): Pick<TableField, 'path' | 'texts'> | null {
  const all = fields.flatMap((field) => userMessage(field) ?? firstTurn(field) ?? (field.texts ? [field] : []));
  const length = ({ texts }: TableField) => (texts ?? []).reduce((sum, text) => sum + text.length, 0);
  const isNumeric = (field: TableField) => field.texts?.every((text) => !Number.isNaN(Number(text))) === true;
  const texts = all.filter((field) => !field.path.includes('.') && !WORKED.test(field.path) && !isNumeric(field));
  // Without a header, the question is usually first.
  const first = texts.every(isUnnamed) ? texts[0] : undefined;
  return named(all, QUESTION)[0] ?? first ?? texts.toSorted((one, other) => length(other) - length(one))[0] ?? null;
}

/** The last message of the user, if the values of a column are chats in which this message has the same position. */
function userMessage({ path, name, values }: TableField): readonly TableField[] | null {
  const isChat = (value: unknown) =>
    Array.isArray(value) && value.some((message) => isRecord(message) && 'content' in message);
  if (values.length === 0 || !values.every(isChat)) return null;
  const chats = values as readonly (readonly unknown[])[];
  const places = chats.map((chat) => chat.findLastIndex((message) => isRecord(message) && message['role'] === 'user'));
  const [place = -1] = places;
  if (place < 0 || places.some((each) => each !== place)) return null;
  const contents = chats.map((chat) => (chat[place] as Readonly<Record<string, unknown>>)['content']);
  const texts = contents.map(textOf).filter((text) => text !== null);
  return texts.length < contents.length ? null : [{ path: `${path}.${place}.content`, name, values: contents, texts }];
}

/** The first message of the user, if the values of a column are lists of them, as in the questions of MT-Bench. */
function firstTurn({ path, name, values }: TableField): readonly TableField[] | null {
  if (name !== 'turns' || values.length === 0) return null;
  const firsts = values.map((turns) =>
    Array.isArray(turns) && typeof turns[0] === 'string' ? textOf(turns[0]) : null,
  );
  const texts = firsts.filter((text) => text !== null);
  return texts.length < values.length ? null : [{ path: `${path}.0`, name: 'question', values: texts, texts }];
}

function wordingOf(
  question: Pick<TableField, 'path' | 'texts'> | null,
  fields: readonly TableField[],
  wording: string | null,
  suggested: SuggestedReference | null,
): QuestionMap {
  const path = question?.path ?? '';
  const reference = suggested?.reference ?? null;
  const others = fields.filter((each) => each.path !== path && each.path !== reference && !each.path.includes('.'));
  const isText = (value: unknown) => value == null || typeof value === 'string';
  const hasText = ({ values }: TableField) =>
    values.every((value) => (Array.isArray(value) ? value.every(isText) : isText(value)));
  const context = exactlyNamed(others.filter(hasText), CONTEXT);
  const input = path === 'instruction' ? exactlyNamed(others.filter(hasText), ['input']) : null;
  const parts = [context && `{{${context.path}?}}`, `{{${path}}}`, input && `{{${input.path}?}}`].filter(
    (part) => part !== null,
  );
  const whole = parts.join('\n\n');
  if (wording !== null) return { kind: 'template', text: wording.replace('{{}}', () => whole) };
  const answers = fields.find((each) => each.path === reference)?.texts?.map((text) => text.trim().toLowerCase()) ?? [];
  const [yes, no] = TRUTHS.find((truths) => answers.every((answer) => truths.includes(answer))) ?? [];
  if (yes && no && answers.length > 0)
    return { kind: 'template', text: `${whole}\n\nEnd with a last line that is only “${yes}” or “${no}”.` };
  // A pattern has to match the whole answer, which few workers would give without a sentence around it.
  if (suggested?.grader === 'pattern')
    return { kind: 'template', text: `${whole}\n\nEnd with a last line that is only the answer.` };
  return parts.length > 1 ? { kind: 'template', text: whole } : { kind: 'column', column: path };
}

/** Whether the values can be ids. Rows with a repeated id would be skipped. */
function isUnique(field: TableField): boolean {
  return isShort(field) && new Set(field.texts).size === field.texts?.length;
}

function isShort({ texts }: TableField): boolean {
  return texts?.every((text) => text.length <= LONGEST_NAME) === true;
}
