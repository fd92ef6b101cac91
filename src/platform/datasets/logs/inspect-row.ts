/**
 * @file Turns a sample of an Inspect log into one flat row, with the columns that Podium recognizes in any table. The formats are
 * those of Inspect's `EvalLog` (version 2) and `EvalSample`.
 */
import * as z from 'zod/mini';
import { isRecord, type TableRow } from '../../../core/contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

/** What a log says of all its samples. */
export interface InspectHeader {
  readonly model: string;
  readonly task: string;
}

const headerSchema = z.object({ model: z.string(), task: z.string() });

/** @param value the object `eval` of a log. `null`: it is no such object */
export function inspectHeader(value: unknown): InspectHeader | null {
  return headerSchema.safeParse(value).data ?? null;
}

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) }))]);
const message = z.looseObject({ role: z.string(), content });
const tokens = z.nullish(z.number());
const usage = z.looseObject({ input_tokens: tokens, output_tokens: tokens, total_cost: z.nullish(z.number()) });
const score = z.looseObject({ value: z.unknown() });
const sampleSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  input: z.union([z.string(), z.array(message)]),
  choices: z.nullish(z.array(z.string())),
  target: z.union([z.string(), z.array(z.string())]),
  output: z.nullish(
    z.looseObject({
      completion: z.nullish(z.string()),
      choices: z.nullish(z.array(z.looseObject({ message }))),
      usage: z.nullish(usage),
      time: z.nullish(z.number()),
    }),
  ),
  scores: z.nullish(z.record(z.string(), score)),
  /** As logs of before 2024-06 have it. */
  score: z.nullish(score),
  model_usage: z.nullish(z.record(z.string(), usage)),
  total_time: z.nullish(z.number()),
  attachments: z.nullish(z.record(z.string(), z.unknown())),
});
type Sample = z.infer<typeof sampleSchema>;

/** @returns the row. A text: why the sample can't be read, as a sentence */
export function inspectRow(value: unknown, { model, task }: InspectHeader): TableRow | string {
  const parsed = sampleSchema.safeParse(value);
  if (!parsed.success) return 'The sample is not as Inspect writes it.';
  const sample = parsed.data;
  const { target, output, scores } = sample;
  const all = Object.entries(scores ?? (sample.score ? { score: sample.score } : {}));
  const used = usageOf(sample);
  return {
    task_id: String(sample.id),
    group: task,
    question: questionOf(sample),
    model,
    response: output?.completion ?? textOf(output?.choices?.[0]?.message.content ?? null, sample),
    score: scoreOf(all[0]?.[1].value),
    // Of several right answers, no grader would accept all.
    reference: typeof target === 'string' ? target.trim() : target.length === 1 ? target[0]?.trim() : null,
    latency_s: sample.total_time ?? output?.time ?? null,
    input_tokens: used?.input_tokens ?? null,
    output_tokens: used?.output_tokens ?? null,
    cost: used?.total_cost ?? null,
    ...(all.length > 1 && { scores: Object.fromEntries(all.map(([name, each]) => [name, scoreOf(each.value)])) }),
    ...(isRecord(sample.metadata) && { metadata: sample.metadata }),
  };
}

/** The question with its choices, as the model saw it or nearly so. */
function questionOf(sample: Sample): string {
  const { input, choices } = sample;
  const texts = typeof input === 'string' ? [input] : input.map((each) => textOf(each.content, sample) ?? '');
  const letters = choices?.map((choice, index) => `${String.fromCodePoint(65 + index)}) ${choice}`) ?? [];
  return [texts.join('\n\n'), letters.join('\n')].filter((part) => part !== '').join('\n\n');
}

const ATTACHMENT = 'attachment://';

/** Long texts are kept once, as attachments. */
function textOf(value: z.infer<typeof content> | null, { attachments }: Sample): string | null {
  if (value === null) return null;
  const parts = typeof value === 'string' ? [value] : value.map(({ type, text }) => text ?? `(${type})`);
  const whole = parts.map((part) => {
    const kept = part.startsWith(ATTACHMENT) ? attachments?.[part.slice(ATTACHMENT.length)] : undefined;
    return typeof kept === 'string' ? kept : part;
  });
  return whole.join('\n');
}

/** Inspect's letters: correct, partially correct, incorrect, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function scoreOf(value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(LETTERS, value) ? LETTERS[value] : value;
}

/** All calls of the sample together. */
function usageOf({ model_usage, output }: Sample): z.infer<typeof usage> | null {
  const all = Object.values(model_usage ?? {});
  if (all.length === 0) return output?.usage ?? null;
  const sum = (name: 'input_tokens' | 'output_tokens' | 'total_cost') => {
    const known = all.flatMap((each) => each[name] ?? []);
    return known.length < all.length ? null : known.reduce((total, each) => total + each, 0);
  };
  return { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens'), total_cost: sum('total_cost') };
}
