/**
 * @file Turns a sample that lm-evaluation-harness logged (`--log_samples`) into one flat row, with the columns that Podium
 * recognizes in any table.
 */
import * as z from 'zod/mini';
import { isRecord, parseJson, type TableRow } from '../../../core/contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

const sampleSchema = z.looseObject({
  doc_id: z.number(),
  doc: z.record(z.string(), z.unknown()),
  target: z.unknown(),
  /** What the model was sent: `{ "gen_args_0": { "arg_0": … } }`, or `[[…]]` in older versions. */
  arguments: z.union([z.record(z.string(), z.looseObject({ arg_0: z.unknown() })), z.array(z.array(z.unknown()))]),
  resps: z.array(z.unknown()),
  metrics: z.nullish(z.array(z.string())),
});

/** Names of metrics in logs of before 2025, which don't list them. */
const METRICS = ['exact_match', 'acc', 'em', 'pass@1', 'prompt_level_strict_acc'];
/** `samples_<task>_<time>.jsonl`. The logs of all tasks of one model have the same time. */
const FILE_NAME = /samples_(?<task>.+)_(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)/;

/**
 * @param file the name of the file, because a sample says neither its task nor its model
 * @returns the row. `null`: the value is no sample of lm-evaluation-harness
 */
export function lmEvalRow(value: TableRow, file: string): TableRow | null {
  // Most tables have other rows, and may have millions of them.
  if (typeof value.doc_id !== 'number') return null;
  const parsed = sampleSchema.safeParse(value);
  if (!parsed.success) return null;
  const { doc_id: id, doc, target, arguments: sent, resps, metrics } = parsed.data;
  const prompt = promptOf(Array.isArray(sent) ? sent[0]?.[0] : Object.values(sent)[0]?.arg_0);
  if (prompt === null) return null;
  const { task, time } = FILE_NAME.exec(file)?.groups ?? {};
  return {
    task_id: String(id),
    ...(task !== undefined && { group: task }),
    question: questionOf(prompt, doc),
    model: time ?? file,
    response: responseOf(resps),
    score: scoreOf(value, metrics ?? METRICS),
    reference: referenceOf(target),
  };
}

/** A prompt, or the last message of a chat, which is logged as JSON. */
function promptOf(sent: unknown): string | null {
  if (typeof sent !== 'string') return null;
  const chat = sent.startsWith('[{') ? parseJson(sent) : undefined;
  const content: unknown = Array.isArray(chat)
    ? chat.findLast((each) => isRecord(each) && each.role === 'user')
    : undefined;
  return isRecord(content) && typeof content.content === 'string' ? content.content : sent;
}

/** The prompt without its examples and its last label: it is cut where the longest text of the task begins. */
function questionOf(prompt: string, doc: Readonly<Record<string, unknown>>): string {
  const starts = Object.values(doc)
    .filter((text) => typeof text === 'string' && text.trim() !== '')
    .map((text) => ({ length: String(text).length, start: prompt.lastIndexOf(String(text).trim()) }))
    .filter(({ start }) => start >= 0)
    .toSorted((one, other) => other.length - one.length);
  return prompt
    .slice(starts[0]?.start ?? 0)
    .trim()
    .replace(/\n(?:A|Answer|Solution):$/, '')
    .trim();
}

/** The first answer. `null`: the model rated given answers and wrote none. */
function responseOf([first]: readonly unknown[]): string | null {
  const answer: unknown = Array.isArray(first) ? first[0] : first;
  return typeof answer === 'string' ? answer : null;
}

/** The first metric that has a value for each sample. Metrics such as BLEU have none. */
function scoreOf(value: TableRow, metrics: readonly string[]): unknown {
  const name = metrics.find((each) => each !== 'bypass' && ['number', 'boolean'].includes(typeof value[each]));
  return name === undefined ? null : value[name];
}

function referenceOf(target: unknown): string | null {
  // Of several right answers, no grader would accept all.
  const only: unknown = Array.isArray(target) && target.length === 1 ? target[0] : target;
  return typeof only === 'string' || typeof only === 'number' ? String(only).trim() : null;
}
