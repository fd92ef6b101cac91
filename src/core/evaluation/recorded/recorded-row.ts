/**
 * @file Reads one row of a table with recorded outcomes. A row has a worker's answer to a task, the score of the answer, or both.
 * It may also have the cost, the time and the tokens of the call. Tables use different names for the same fields, so each
 * field has a list of names.
 */
import * as z from 'zod/mini';
import { isMoney, type TableRow } from '../../contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

export interface RecordedRow {
  readonly question: string;
  /** The worker's name in the table. */
  readonly worker: string;
  readonly taskId: string | null;
  readonly group: string | null;
  readonly answer: string | null;
  readonly reference: string | null;
  readonly score: number | null;
  /** US dollars. `null`: unknown. */
  readonly usd: number | null;
  /** Ms. `null`: unknown. */
  readonly latency: number | null;
  /** Tokens. `null`: unknown. */
  readonly input: number | null;
  readonly output: number | null;
}

export type ReadRow =
  | { readonly ok: true; readonly row: RecordedRow }
  /** `message`: one sentence. */
  | { readonly ok: false; readonly message: string };

/** Values for fields that a row lacks. For example, `worker` if all rows of a file come from one worker. */
export interface RowDefaults {
  readonly worker?: string;
  readonly group?: string;
}

/** In UTF-16 units. */
const LONGEST_NAME = 200;
/** In UTF-16 units. */
const LONGEST_TEXT = 200_000;
/** One day, in ms. The latency is bounded, because a replay takes as long as the recorded call. */
const LONGEST_LATENCY = 86_400_000;

const TRUTH: Readonly<Record<string, number>> = { true: 1, yes: 1, false: 0, no: 0 };

const text = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value) => String(value)),
);
const longText = z.pipe(text, z.string().check(z.maxLength(LONGEST_TEXT)));
const name = z.pipe(text, z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_NAME)));
const number = z.pipe(z.pipe(z.union([z.number(), z.boolean(), z.string()]), z.transform(numberOf)), z.number());
const amount = z.pipe(number, z.number().check(z.nonnegative()));
const tokens = z.pipe(number, z.int().check(z.nonnegative()));

interface FieldRule<T> {
  /** Field names in order of preference. */
  readonly names: readonly string[];
  readonly schema: z.ZodMiniType<T>;
  /** The end of the sentence “The field should be …”. */
  readonly expected: string;
}

const LONG_TEXT = { schema: longText, expected: `a text of at most ${LONGEST_TEXT.toLocaleString('en')} characters` };
const NAME = { schema: name, expected: `a text of at most ${LONGEST_NAME} characters` };
const TOKENS = { schema: tokens, expected: 'a whole number of tokens, zero or more' };

const FIELDS = {
  question: { names: ['question', 'origin_query', 'query', 'prompt', 'input'], ...LONG_TEXT },
  worker: { names: ['worker', 'model', 'model_name', 'model_id', 'llm'], ...NAME },
  taskId: { names: ['task', 'task_id', 'question_id', 'sample_id', 'record_index', 'index', 'id'], ...NAME },
  group: { names: ['group', 'dataset', 'dataset_id', 'benchmark', 'subject', 'category'], ...NAME },
  answer: { names: ['answer', 'response', 'raw_output', 'output', 'completion', 'prediction'], ...LONG_TEXT },
  reference: { names: ['reference', 'ground_truth', 'gold', 'target', 'expected'], ...LONG_TEXT },
  score: {
    names: ['score', 'correct', 'is_correct', 'performance'],
    schema: number,
    expected: 'a number, true or false',
  },
  usd: {
    names: ['usd', 'cost', 'cost_usd', 'total_cost'],
    schema: z.pipe(number, z.number().check(z.refine(isMoney))),
    expected: 'an amount of US dollars, zero or more',
  },
  milliseconds: {
    names: ['latency_ms'],
    schema: z.pipe(amount, z.number().check(z.lte(LONGEST_LATENCY))),
    expected: 'a time in milliseconds, at most a day',
  },
  seconds: {
    names: ['latency_s', 'latency', 'seconds', 'time_taken'],
    schema: z.pipe(amount, z.number().check(z.lte(LONGEST_LATENCY / 1000))),
    expected: 'a time in seconds, at most a day',
  },
  input: { names: ['input_tokens', 'prompt_tokens'], ...TOKENS },
  output: { names: ['output_tokens', 'completion_tokens'], ...TOKENS },
} as const satisfies Record<string, FieldRule<string | number>>;

/** Reads one row. An empty field counts as missing. */
export function readRecordedRow(value: TableRow, defaults: RowDefaults = {}): ReadRow {
  const problems: string[] = [];
  const read = <T>({ names, schema, expected }: FieldRule<T>): T | null => {
    const field = names.find((each) => Object.hasOwn(value, each) && !isEmpty(value[each]));
    if (field === undefined) return null;
    const parsed = schema.safeParse(value[field]);
    if (parsed.success) return parsed.data;
    problems.push(`The field “${field}” should be ${expected}.`);
    return null;
  };
  const question = read(FIELDS.question);
  const worker = read(FIELDS.worker) ?? defaults.worker ?? null;
  const seconds = read(FIELDS.seconds);
  const row = {
    taskId: read(FIELDS.taskId),
    group: read(FIELDS.group) ?? defaults.group ?? null,
    answer: read(FIELDS.answer),
    reference: read(FIELDS.reference),
    score: read(FIELDS.score),
    usd: read(FIELDS.usd),
    latency: read(FIELDS.milliseconds) ?? (seconds === null ? null : seconds * 1000),
    input: read(FIELDS.input),
    output: read(FIELDS.output),
  };
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, message: problem };
  if (question === null) return missing('question', 'question');
  if (worker === null) return missing('name of the worker', 'worker');
  if (row.answer === null && row.score === null) {
    return { ok: false, message: 'The row has neither an answer nor a score.' };
  }
  return { ok: true, row: { question, worker, ...row } };
}

function missing(what: string, field: 'question' | 'worker'): ReadRow {
  const names = FIELDS[field].names.map((each) => `“${each}”`).join(', ');
  return { ok: false, message: `The row has no ${what}. It should be in one of the fields ${names}.` };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** Returns `NaN`, which the schemas reject, for a text that is neither a number nor a key of `TRUTH`. */
function numberOf(value: number | boolean | string): number {
  if (typeof value !== 'string') return Number(value);
  const plain = value.trim().toLowerCase();
  return plain === '' ? Number.NaN : (TRUTH[plain] ?? Number(plain));
}
