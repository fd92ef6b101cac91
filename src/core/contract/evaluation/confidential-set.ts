/**
 * @file Recognizes GPQA, a set of questions. Its authors ask that the questions never appear in plain text on the web. The set is
 * recognized by its name, by its columns, and by the canary in its rows. The canary is a fixed text that marks copies of the set.
 * So copies under other names are recognized, too.
 */
import type { Dataset } from './dataset';
import type { Table, TableRow } from './table';

/** Matches names of GPQA. SuperGPQA does not match, because it is another set and is public. */
const NAME = /(?:^|[^a-z])gpqa(?:[^a-z]|$)/i;

/**
 * Matches the start of the canary. With the whole canary, this file would itself be marked as a copy of the
 * set.
 */
const CANARY = /gpqa:[0-9a-f]{4}:[0-9a-f]{8}-/i;

/** Names of GPQA's columns, in lower case, without spaces and punctuation. */
const COLUMNS = ['question', 'correctanswer', 'incorrectanswer1', 'incorrectanswer2', 'incorrectanswer3'];
const CANARY_COLUMN = 'canarystring';

/** Maximum length of a name, in UTF-16 units. */
const LONGEST_NAME = 100;
/** Maximum depth to which nested values of a row are searched. */
const DEEPEST = 4;

/** Whether the name of a file, a repository, a dataset or a group of tasks is a name of GPQA. */
export function namesConfidentialSet(name: string): boolean {
  return NAME.test(name);
}

/**
 * Whether the tasks of a dataset must not leave this browser. Older versions stored `isConfidential: false` for confidential
 * datasets, so the names are checked too.
 */
export function isConfidentialDataset({
  isConfidential,
  name,
  source,
  groups,
}: Pick<Dataset, 'isConfidential' | 'name' | 'source' | 'groups'>): boolean {
  return (
    isConfidential ||
    namesConfidentialSet(name) ||
    isConfidentialSource(source) ||
    groups.some(({ group }) => namesConfidentialSet(group))
  );
}

/** Whether a table is GPQA or a copy, as far as its name, its columns and its first rows show. */
export function isConfidentialTable({
  source,
  columns,
  preview,
}: Pick<Table, 'columns' | 'preview'> & Partial<Pick<Table, 'source'>>): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase().replace(/[^a-z0-9]/g, '')));
  return (
    (source !== undefined && isConfidentialSource(source)) ||
    names.has(CANARY_COLUMN) ||
    COLUMNS.every((name) => names.has(name)) ||
    preview.some(isConfidentialRow)
  );
}

/** Whether a row has the canary, or a field that names GPQA, such as the name of its dataset. */
export function isConfidentialRow(row: TableRow): boolean {
  return Object.values(row).some((value) => isConfidentialValue(value, 0));
}

function isConfidentialValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return CANARY.test(value) || isName(value);
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return false;
  return Object.values(value).some((each) => isConfidentialValue(each, depth + 1));
}

/** Whether a text is a name of GPQA. A sentence about GPQA is not. */
function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text) && !/\s\S+\s/.test(text.trim());
}

function isConfidentialSource(source: Dataset['source']): boolean {
  switch (source.kind) {
    case 'practice':
      return false;
    case 'file':
      return namesConfidentialSet(source.name);
    case 'hub':
      return namesConfidentialSet(`${source.repository}/${source.file}`);
    default:
      return source satisfies never;
  }
}
