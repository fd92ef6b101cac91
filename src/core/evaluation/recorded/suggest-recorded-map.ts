/**
 * @file Suggests a map for a table of recorded outcomes, by the names of its columns and the values of its first rows. Recognizes
 * both layouts: one row for each outcome, and one row for each task with columns, or keys of an object, for each worker.
 */
import { isRecord, type Table, type TableRow } from '../../contract';
import { parsedObject, WORKER_PLACEHOLDER, type RecordedMap } from './recorded-map';
import { isEmpty, numberOf } from './recorded-row';

/** Names of columns for each part, in the order of preference, in lower case. Docs/recorded-outcomes.md lists one of each. */
const NAMES = {
  question: ['question', 'origin_query', 'query', 'prompt', 'problem', 'instruction', 'input'],
  worker: ['worker', 'model', 'model_name', 'llm', 'model_id', 'llm_id'],
  taskId: ['task', 'task_id', 'question_id', 'prompt_id', 'sample_id', 'record_index', 'index', 'id', 'idx'],
  group: [
    'group',
    'dataset',
    'dataset_id',
    'dataset_name',
    'benchmark',
    'eval_name',
    'task_name',
    'subject',
    'category',
  ],
  reference: ['reference', 'ground_truth', 'gold', 'target', 'expected', 'reference_answer', 'correct_answer'],
  answer: [
    'response',
    'model_response',
    'raw_output',
    'output',
    'model_output',
    'completion',
    'generation',
    'generated_text',
    'model_answer',
    'predicted_answer',
    'prediction',
    'pred',
    // Beside one of the columns above, this is the right answer.
    'answer',
    'solution',
  ],
  score: ['score', 'correct', 'is_correct', 'right', 'performance', 'accuracy', 'acc', 'verdict', 'label', 'passed'],
  usd: ['usd', 'cost', 'cost_usd', 'total_cost'],
  milliseconds: ['latency_ms'],
  seconds: ['latency_s', 'latency', 'seconds', 'time_taken'],
  input: ['input_tokens', 'prompt_tokens'],
  output: ['output_tokens', 'completion_tokens'],
  /** The right answer, if another column has the worker's answer. */
  rightAnswer: ['answer'],
} as const satisfies Record<keyof Omit<RecordedMap, 'workers'> | 'rightAnswer', readonly string[]>;

type Field = keyof typeof NAMES;
/** The parts of an outcome, which a table may have for each worker. */
const OUTCOME_FIELDS = [
  'answer',
  'score',
  'usd',
  'milliseconds',
  'seconds',
  'input',
  'output',
] as const satisfies readonly Field[];
type OutcomeField = (typeof OUTCOME_FIELDS)[number];

export type SampleTable = Pick<Table, 'columns' | 'preview'> & Partial<Pick<Table, 'source'>>;

/** Suggests the columns. Parts without a column are `null`. */
export function suggestRecordedMap(table: SampleTable): RecordedMap {
  const columns = columnsOf(table);
  const named = (field: Field, isFit: (column: Column) => boolean = isPlain) =>
    NAMES[field].flatMap((name) => columns.find((each) => each.name.toLowerCase() === name && isFit(each)) ?? [])[0]
      ?.name ?? null;
  const shared = { question: named('question') ?? '', taskId: named('taskId'), group: named('group') };
  const outcome = {
    answer: named('answer'),
    score: named('score', ({ values }) => values.every(isScore)),
    usd: named('usd'),
    milliseconds: named('milliseconds'),
    seconds: named('seconds'),
    input: named('input'),
    output: named('output'),
  };
  const worker = named('worker');
  const hasOutcome = outcome.score !== null || outcome.answer !== null;
  const wide = worker !== null && hasOutcome ? null : wideParts(columns);
  // With columns such as “response” and “score”, columns such as “score_style” don’t name a worker.
  const isWide = !hasOutcome || (outcome.score === null && wide?.score) || wide?.workers.every(isModelName);
  if (wide && isWide)
    return { ...shared, reference: named('reference') ?? named('rightAnswer'), worker: null, ...wide };
  // Beside a column such as “response”, a column “answer” has the right answer.
  const right = named('rightAnswer');
  const reference = named('reference') ?? (right === outcome.answer ? null : right);
  const workers = worker === null && hasOutcome ? [fileName(table)] : [];
  return { ...shared, ...outcome, reference, worker, workers };
}

interface Column {
  readonly name: string;
  /** The values in the first rows, without empty ones. */
  readonly values: readonly unknown[];
}

function columnsOf({ columns, preview }: SampleTable): readonly Column[] {
  const names = new Set([...columns.map(({ name }) => name), ...preview.flatMap((row) => Object.keys(row))]);
  return [...names].map((name) => ({ name, values: valuesOf(preview, name) }));
}

function valuesOf(rows: readonly TableRow[], name: string): readonly unknown[] {
  return rows.map((row) => row[name]).filter((value) => !isEmpty(value));
}

/** A column, or a value inside the objects of a column, that may belong to a worker. */
interface Part {
  readonly worker: string;
  /** The path with `{{worker}}` in place of the worker. */
  readonly path: string;
  readonly field: OutcomeField;
}

/** The columns of a table with columns, or keys of objects, for each worker. `null`: the table has no such columns. */
function wideParts(columns: readonly Column[]): Pick<RecordedMap, 'workers' | OutcomeField> | null {
  const paths = new Map<string, Part[]>();
  for (const part of columns.flatMap((column) => [...ownParts(column), ...innerParts(column)])) {
    const key = `${part.field} ${part.path}`;
    paths.set(key, [...(paths.get(key) ?? []), part]);
  }
  /** The path of a field with the most workers, of the workers that count. */
  const pathOf = (field: OutcomeField, counts: (worker: string) => boolean = () => true): readonly Part[] =>
    [...paths.values()]
      .map((parts) => parts.filter((part) => part.field === field && counts(part.worker)))
      // Of two paths with the same number of workers, the longer one says more about its field.
      .toSorted((one, other) => other.length - one.length || lengthOf(other) - lengthOf(one))[0] ?? [];
  const scores = pathOf('score');
  const main = scores.length > 0 ? scores : pathOf('answer');
  if (main.length === 0) return null;
  const workers = sureWorkers(main, [...paths.values()].flat());
  const known = new Set(workers);
  const path = (field: OutcomeField) => pathOf(field, (worker) => known.has(worker))[0]?.path ?? null;
  return {
    workers,
    answer: path('answer'),
    score: path('score'),
    usd: path('usd'),
    milliseconds: path('milliseconds'),
    seconds: path('seconds'),
    input: path('input'),
    output: path('output'),
  };
}

const lengthOf = ([part]: readonly Part[]) => part?.path.length ?? 0;

/**
 * The workers of the main columns. If these are whole columns, and most of them have further columns such as `…_response`,
 * the others are no workers.
 */
function sureWorkers(main: readonly Part[], all: readonly Part[]): readonly string[] {
  const others = new Set(all.filter(({ path }) => path !== main[0]?.path).map(({ worker }) => worker));
  const workers = main.map(({ worker }) => worker);
  if (main[0]?.path !== WORKER_PLACEHOLDER) return workers;
  const sure = workers.filter((worker) => others.has(worker));
  return 2 * sure.length >= workers.length ? sure : workers;
}

const SEPARATORS = ['__', '_', '|', '.', ':', '/', '-', ' '] as const;
/** Every name that a column of `NAMES` can have. Such a column does not belong to a worker. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([...Object.values(NAMES).flat(), 'answer', 'answers', 'source']);

/** What a whole column may be: `gpt-4`, `gpt-4_response`, `cost|gpt-4`. */
function* ownParts({ name, values }: Column): Generator<Part> {
  if (KNOWN_NAMES.has(name.toLowerCase()) || values.length === 0 || values.some(isRecord)) return;
  const affixed = [...affixes(name)].filter(({ field }) => isFit(field, values));
  yield* affixed;
  if (affixed.length > 0) return;
  if (values.every(isShare)) yield { worker: name, path: WORKER_PLACEHOLDER, field: 'score' };
  else if (isModelName(name) && values.every((value) => typeof value === 'string')) {
    yield { worker: name, path: WORKER_PLACEHOLDER, field: 'answer' };
  }
}

/** What follows a part in the name of a column about it, such as `answer_id`. No worker has such a name. */
const FACTS: ReadonlySet<string> = new Set(['id', 'type', 'format', 'length', 'index', 'start', 'end', 'style']);

function* affixes(name: string): Generator<Part> {
  const lower = name.toLowerCase();
  for (const field of OUTCOME_FIELDS) {
    for (const word of NAMES[field].toSorted((one, other) => other.length - one.length)) {
      for (const separator of SEPARATORS) {
        const [start, end] = [word + separator, separator + word];
        if (lower.endsWith(end) && lower.length > end.length) {
          const worker = name.slice(0, -end.length);
          yield { worker, path: WORKER_PLACEHOLDER + name.slice(-end.length), field };
        }
        if (lower.startsWith(start) && lower.length > start.length && !FACTS.has(lower.slice(start.length))) {
          const worker = name.slice(start.length);
          yield { worker, path: name.slice(0, start.length) + WORKER_PLACEHOLDER, field };
        }
      }
    }
  }
}

/** What the objects in a column may contain: `scores.gpt-4`, `usages.gpt-4.cost`, `gpt-4.score`. */
function* innerParts({ name, values }: Column): Generator<Part> {
  const objects = objectsOf(values);
  if (objects.length === 0 || objects.length < values.length) return;
  for (const key of keysOf(objects)) {
    const own = objects.map((each) => each[key]).filter((value) => !isEmpty(value));
    const inner = objectsOf(own);
    if (inner.length > 0) {
      for (const part of keysOf(inner)) {
        const field = fieldOf(part);
        if (field) yield { worker: key, path: `${name}.${WORKER_PLACEHOLDER}.${part}`, field };
      }
      continue;
    }
    const field = fieldOf(key);
    if (field) yield { worker: name, path: `${WORKER_PLACEHOLDER}.${key}`, field };
    else yield* keyed(name, key, own);
  }
}

/** A key that is the name of a worker. The name of the column, or else the values, decide the field. */
function* keyed(name: string, key: string, values: readonly unknown[]): Generator<Part> {
  const field = fieldOf(name.replace(/s$/i, '')) ?? fieldOf(name) ?? (values.every(isScore) ? 'score' : 'answer');
  if (isFit(field, values)) yield { worker: key, path: `${name}.${WORKER_PLACEHOLDER}`, field };
}

/** The objects among values. A text with an object counts, as in the import. */
function objectsOf(values: readonly unknown[]): readonly Readonly<Record<string, unknown>>[] {
  return values
    .map((value) => (typeof value === 'string' ? parsedObject(value) : isRecord(value) ? value : undefined))
    .filter((value) => value !== undefined);
}

function keysOf(objects: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return [...new Set(objects.flatMap((each) => Object.keys(each)))];
}

function fieldOf(name: string): OutcomeField | undefined {
  return OUTCOME_FIELDS.find((field) => (NAMES[field] as readonly string[]).includes(name.toLowerCase()));
}

function isFit(field: OutcomeField, values: readonly unknown[]): boolean {
  return values.every((value) => (field === 'answer' ? !isRecord(value) : isScore(value)));
}

function isPlain({ values }: Column): boolean {
  return !values.some((value) => isRecord(value) || Array.isArray(value));
}

function isScore(value: unknown): boolean {
  return (
    (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
    Number.isFinite(numberOf(value))
  );
}

function isShare(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const score = numberOf(value);
  return score >= 0 && score <= 1;
}

/** Names of models have an owner, such as `owner/model`, or both letters and digits. */
function isModelName(name: string): boolean {
  return /^[\w.-]+\/[\w.:-]+$/.test(name) || (/\d/.test(name) && /[a-z]{2}/i.test(name) && !/\s/.test(name));
}

function fileName({ source }: SampleTable): string {
  const name = source?.kind === 'file' ? source.name : source?.kind === 'hub' ? source.file : '';
  return name.replace(/^.*\//, '').replace(/(?:\.\w{1,7}){1,2}$/, '') || 'worker';
}
