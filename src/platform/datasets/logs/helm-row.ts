/**
 * @file Turns what HELM writes into flat rows, with the columns that Podium recognizes in any table: the requests of
 * `scenario_state.json`, and the instances of `instances.json`.
 */
import * as z from 'zod/mini';
import { isRecord, type TableRow } from '../../../core/contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

/** Logs of before 2023 have plain texts. */
const text = z.pipe(
  z.union([z.string(), z.looseObject({ text: z.string() })]),
  z.transform((value) => (typeof value === 'string' ? value : value.text)),
);
const instanceSchema = z.looseObject({
  input: text,
  references: z.array(z.looseObject({ output: text, tags: z.array(z.string()) })),
  split: z.nullish(z.string()),
  id: z.nullish(z.string()),
  perturbation: z.nullish(z.looseObject({ name: z.string() })),
});
type Instance = z.infer<typeof instanceSchema>;
const stateSchema = z.looseObject({
  instance: instanceSchema,
  /** The letter of each option. */
  output_mapping: z.nullish(z.record(z.string(), z.string())),
  /** The option that this request is about, if each option has a request of its own. */
  reference_index: z.nullish(z.number()),
  request: z.looseObject({ model: z.string() }),
  result: z.nullish(
    z.looseObject({
      completions: z.array(z.looseObject({ text: z.string() })),
      request_time: z.nullish(z.number()),
    }),
  ),
});

/** @returns the row. A text: why a request can't be read, as a sentence. `null`: HELM does not write such values */
export function helmRow(value: TableRow): TableRow | string | null {
  // Most tables have other rows, and may have millions of them.
  if (isRecord(value.instance) && isRecord(value.request)) return stateRow(value);
  return isRecord(value.input) && Array.isArray(value.references) ? instanceRow(value) : null;
}

function stateRow(value: TableRow): TableRow | string | null {
  const parsed = stateSchema.safeParse(value);
  if (!parsed.success) return null;
  const { instance, output_mapping: options, reference_index: rated, request, result } = parsed.data;
  if (rated !== undefined && rated !== null) return 'The model rated a given answer and wrote none.';
  const right = rightAnswers(instance);
  // Of several right answers, no grader would accept all.
  const only = right.length === 1 ? (right[0] ?? null) : null;
  const lettered = Object.entries(options ?? {});
  const lines = lettered.map(([letter, option]) => `${letter}) ${option}`);
  return {
    task_id: idOf(instance),
    question: [instance.input.trim(), lines.join('\n')].filter((part) => part !== '').join('\n\n'),
    model: request.model,
    response: result?.completions[0]?.text.trim() ?? null,
    reference: lettered.length === 0 ? only : (lettered.find(([, option]) => option === only)?.[0] ?? null),
    latency_s: result?.request_time ?? null,
  };
}

function instanceRow(value: TableRow): TableRow | null {
  const parsed = instanceSchema.safeParse(value);
  if (!parsed.success) return null;
  const { references } = parsed.data;
  const right = rightAnswers(parsed.data);
  const areOptions = references.some(({ tags }) => !tags.includes('correct'));
  return {
    task_id: idOf(parsed.data),
    question: parsed.data.input.trim(),
    ...(areOptions
      ? { choices: references.map(({ output }) => output), answer: right[0] ?? null }
      : { answers: right }),
    split: parsed.data.split ?? null,
  };
}

function rightAnswers({ references }: Instance): readonly string[] {
  const right = references.filter(({ tags }) => tags.includes('correct'));
  return [...new Set(right.map(({ output }) => output.trim()))].filter((output) => output !== '');
}

/** A changed copy of an instance, such as one with typing errors, has the same id. */
function idOf({ id, perturbation }: Instance): string | null {
  return id && perturbation ? `${id}-${perturbation.name}` : (id ?? null);
}
