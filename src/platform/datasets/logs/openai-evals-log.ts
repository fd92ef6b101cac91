/**
 * @file Reads a log of OpenAI Evals, which has one event on each line: what the model was asked, and later how its answer was
 * graded. Makes one flat row of both, with the columns that Podium recognizes in any table.
 */
import * as z from 'zod/mini';
import { isRecord, type TableRow } from '../../../core/contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

const specSchema = z.looseObject({
  eval_name: z.string(),
  completion_fns: z._default(z.array(z.string()), []),
  /** In logs of before April 2023, in place of `completion_fns`. */
  model_name: z.nullish(z.string()),
});
const sampled = z.nullish(z.union([z.string(), z.array(z.string())]));
const eventSchema = z.looseObject({ sample_id: z.string(), type: z.string(), data: z.looseObject({ sampled }) });
const promptSchema = z.union([z.string(), z.array(z.looseObject({ content: z.string() }))]);

interface Asked {
  readonly question: string | null;
  readonly response: string | null;
}

/** Reads the lines of one file. */
export class OpenAiEvalsLog {
  #spec: z.infer<typeof specSchema> | null = null;
  /** The first question of each sample. A later one is for a model that grades. `null`: the sample has its row. */
  readonly #asked = new Map<string, Asked | null>();

  /**
   * @returns the rows that a line completes, at most one. A text in place of a row: why it can't be read, as a sentence.
   * `null`: the line is no part of such a log
   */
  rows(line: TableRow): readonly (TableRow | string)[] | null {
    if (isRecord(line.spec)) this.#spec ??= specSchema.safeParse(line.spec).data ?? null;
    if (!this.#spec) return null;
    const event = eventSchema.safeParse(line).data;
    if (!event) return [];
    const { sample_id: id, data } = event;
    const asked = this.#asked.get(id);
    if (event.type === 'sampling' && asked === undefined) {
      this.#asked.set(id, { question: promptOf(data.prompt), response: first(data.sampled) });
      return [];
    }
    const score = scoreOf(event.type, data);
    if (score === null || asked === null) return [];
    this.#asked.set(id, null);
    if (typeof asked?.question !== 'string') return ['The log does not say what the model was asked.'];
    const { expected } = data;
    return [
      {
        task_id: id,
        group: this.#spec.eval_name,
        question: asked.question,
        model: this.#spec.completion_fns[0] ?? this.#spec.model_name ?? null,
        response: first(data.sampled) ?? asked.response,
        score,
        // Of several right answers, no grader would accept all.
        reference: Array.isArray(expected) ? (expected.length === 1 ? expected[0] : null) : (expected ?? null),
      },
    ];
  }
}

function promptOf(prompt: unknown): string | null {
  const parsed = promptSchema.safeParse(prompt).data ?? null;
  const text = Array.isArray(parsed) ? parsed.map(({ content }) => content).join('\n\n') : parsed;
  return text?.trim() || null;
}

function first(texts: z.infer<typeof sampled>): string | null {
  return (typeof texts === 'string' ? texts : texts?.[0]) ?? null;
}

/** The names of the score, in the order of preference. */
const SCORES = ['correct', 'score', 'accuracy'];

function scoreOf(type: string, data: Readonly<Record<string, unknown>>): unknown {
  if (type !== 'match' && type !== 'metrics') return null;
  const name = SCORES.find((each) => ['boolean', 'number'].includes(typeof data[each]));
  return name === undefined ? null : data[name];
}
