/**
 * @file Reads the outcomes of one row of a table. An outcome is a worker's answer to a task, the score of the answer, or both.
 * It may also have the cost, the time and the tokens of the call.
 */
import * as z from 'zod/mini';
import { isMoney, type TableRow } from '../../contract';
import { RowValues, WORKER_PLACEHOLDER, type RecordedMap } from './recorded-map';

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

export interface ReadRow {
  /** At most one outcome for each worker. */
  readonly outcomes: readonly RecordedRow[];
  /** Why outcomes of the row were skipped, one sentence for each cause. Sentences with the same cause are equal. */
  readonly problems: readonly string[];
}

/** In UTF-16 units. */
const LONGEST_NAME = 200;
/** In UTF-16 units. */
const LONGEST_TEXT = 200_000;
/** One day, in ms. The latency is bounded, because a replay takes as long as the recorded call. */
const LONGEST_LATENCY = 86_400_000;

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
  readonly schema: z.ZodMiniType<T>;
  /** The end of the sentence “The field should be …”. */
  readonly expected: string;
  /** Whether the field is a number. If so, words such as `NaN` count as missing. */
  readonly isNumber?: boolean;
}

const LONG_TEXT = { schema: longText, expected: `a text of at most ${LONGEST_TEXT.toLocaleString('en')} characters` };
const NAME = { schema: name, expected: `a text of at most ${LONGEST_NAME} characters` };
const TOKENS = { schema: tokens, expected: 'a whole number of tokens, zero or more', isNumber: true } as const;
const SCORE = { schema: number, expected: 'a number, or a verdict such as true or false', isNumber: true } as const;
const MONEY = {
  schema: z.pipe(number, z.number().check(z.refine(isMoney))),
  expected: 'an amount of US dollars, zero or more',
  isNumber: true,
} as const;
const MILLISECONDS = {
  schema: z.pipe(amount, z.number().check(z.lte(LONGEST_LATENCY))),
  expected: 'a time in milliseconds, at most a day',
  isNumber: true,
} as const;
const SECONDS = {
  schema: z.pipe(amount, z.number().check(z.lte(LONGEST_LATENCY / 1000))),
  expected: 'a time in seconds, at most a day',
  isNumber: true,
} as const;

/** Reads the outcomes of one row. An empty field counts as missing. */
export function readRecordedRow(value: TableRow, map: RecordedMap): ReadRow {
  const values = new RowValues(value);
  const problems = new Set<string>();
  let isRead = true;
  const read = <T>(path: string | null, { schema, expected, isNumber = false }: FieldRule<T>): T | null => {
    const found = path === null ? undefined : values.at(path);
    if (isEmpty(found) || (isNumber && isMissingNumber(found))) return null;
    const parsed = schema.safeParse(found);
    if (parsed.success) return parsed.data;
    isRead = false;
    problems.add(`The field “${path}” should be ${expected}.`);
    return null;
  };
  const question = read(map.question, LONG_TEXT);
  const shared = {
    taskId: read(map.taskId, NAME),
    group: read(map.group, NAME),
    reference: read(map.reference, LONG_TEXT),
  };
  const own = map.worker === null ? null : read(map.worker, NAME);
  if (!isRead) return { outcomes: [], problems: [...problems] };
  if (question === null) return skipped(`The field “${map.question}”, which has the question, is empty or missing.`);
  if (map.worker !== null && own === null) {
    return skipped(`The field “${map.worker}”, which has the name of the worker, is empty or missing.`);
  }
  const outcomes: RecordedRow[] = [];
  for (const worker of own === null ? map.workers : [own]) {
    const at = (path: string | null) => path?.replaceAll(WORKER_PLACEHOLDER, () => worker) ?? null;
    isRead = true;
    const seconds = read(at(map.seconds), SECONDS);
    const outcome = {
      answer: read(at(map.answer), LONG_TEXT),
      score: read(at(map.score), SCORE),
      usd: read(at(map.usd), MONEY),
      latency: read(at(map.milliseconds), MILLISECONDS) ?? (seconds === null ? null : seconds * 1000),
      input: read(at(map.input), TOKENS),
      output: read(at(map.output), TOKENS),
    };
    if (isRead && (outcome.answer !== null || outcome.score !== null)) {
      outcomes.push({ question, worker, ...shared, ...outcome });
    }
  }
  if (outcomes.length === 0 && problems.size === 0) problems.add('The row has neither an answer nor a score.');
  return { outcomes, problems: [...problems] };
}

function skipped(problem: string): ReadRow {
  return { outcomes: [], problems: [problem] };
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** How tables write that a number is missing. */
const NO_NUMBER = /^(?:nan|none|null|n\/?a|-)$/i;

function isMissingNumber(value: unknown): boolean {
  return typeof value === 'string' ? NO_NUMBER.test(value.trim()) : Number.isNaN(value);
}

const VERDICTS: Readonly<Record<string, number>> = Object.fromEntries([
  ...['true', 'yes', 'y', 'correct', 'right', 'pass', 'passed', 'c'].map((word) => [word, 1]),
  ...['false', 'no', 'n', 'incorrect', 'wrong', 'fail', 'failed', 'i'].map((word) => [word, 0]),
]);

/** The number of a score or an amount. `NaN`, which the schemas reject, for a text that is neither a number nor a verdict. */
export function numberOf(value: number | boolean | string): number {
  if (typeof value !== 'string') return Number(value);
  const plain = value.trim().toLowerCase();
  if (plain === '') return Number.NaN;
  return Object.hasOwn(VERDICTS, plain) ? (VERDICTS[plain] ?? Number.NaN) : Number(plain);
}
