/** @file Reads the files of `--map`: which column of a table has the question, which has the reference, and so on. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { parseJson, type DatasetMap, type FieldMap } from '../../core/contract';
import { fieldMapSchema } from '../../core/contract/evaluation/dataset-map-schema';
import { UsageError } from '../exit-codes';

/** The values of fields that a file may leave out. */
const DEFAULTS = {
  domain: 'knowledge',
  reference: null,
  id: null,
  group: null,
  choices: null,
  tests: null,
  solution: null,
  isConfidential: false,
} as const satisfies Omit<FieldMap, 'grader' | 'question'>;

/** Throws a `UsageError` if the file can’t be read or has a wrong field. */
export async function readMapFile(path: string): Promise<DatasetMap> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    throw new UsageError(`Couldn’t read the columns from ${path}. ${thrown instanceof Error ? thrown.message : ''}`);
  }
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} is not a JSON object of columns. The documentation has an example.`);
  }
  const { question, ...fields } = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find(
    (name) => !(name in DEFAULTS) && name !== 'grader' && name !== 'referencePart',
  );
  if (unknown !== undefined) throw new UsageError(`${path} has an unknown field “${unknown}”.`);
  const parsed = z.safeParse(fieldMapSchema, { ...DEFAULTS, ...fields, question: questionMap(question) });
  if (parsed.success) return { kind: 'columns', map: parsed.data };
  const [issue] = parsed.error.issues;
  throw new UsageError(`The field “${issue?.path.join('.') ?? ''}” in ${path} is missing or has a wrong value.`);
}

/** A text is the name of a column, or a template if it has double braces. */
function questionMap(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.includes('{{') ? { kind: 'template', text: value } : { kind: 'column', column: value };
}
