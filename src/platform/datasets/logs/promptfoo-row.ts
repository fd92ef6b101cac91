/** @file Turns a result of promptfoo into one flat row, with the columns that Podium recognizes in any table. */
import * as z from 'zod/mini';
import type { TableRow } from '../../../core/contract';
import { assertedAnswer } from './promptfoo-tests';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

const amount = z.nullish(z.number());
const resultSchema = z.looseObject({
  promptIdx: z.number(),
  testIdx: z.number(),
  promptId: z.nullish(z.string()),
  provider: z.looseObject({ id: z.string(), label: z.nullish(z.string()) }),
  prompt: z.looseObject({ raw: z.string() }),
  response: z.nullish(
    z.looseObject({
      output: z.unknown(),
      tokenUsage: z.nullish(z.looseObject({ prompt: amount, completion: amount })),
    }),
  ),
  success: z.boolean(),
  latencyMs: amount,
  cost: amount,
  testCase: z.nullish(
    z.looseObject({
      vars: z.nullish(z.record(z.string(), z.unknown())),
      assert: z.nullish(z.array(z.looseObject({ type: z.string(), value: z.optional(z.unknown()) }))),
    }),
  ),
});

/** @returns the row. `null`: the value is no result of promptfoo */
export function promptfooRow(value: TableRow): TableRow | null {
  // Most tables have other rows, and may have millions of them.
  if (typeof value.promptIdx !== 'number') return null;
  const parsed = resultSchema.safeParse(value);
  if (!parsed.success) return null;
  const { promptId, testIdx, provider, prompt, response, success, latencyMs, cost, testCase } = parsed.data;
  const output = response?.output ?? null;
  return {
    // One test has several prompts, which are different questions here.
    task_id: `${testIdx + 1}${promptId === null || promptId === undefined ? '' : `-${promptId.slice(0, 8)}`}`,
    question: prompt.raw,
    model: provider.label || provider.id,
    response: output === null || typeof output === 'string' ? output : JSON.stringify(output),
    passed: success,
    reference: assertedAnswer(testCase?.assert ?? []),
    latency_ms: latencyMs ?? null,
    input_tokens: response?.tokenUsage?.prompt ?? null,
    output_tokens: response?.tokenUsage?.completion ?? null,
    cost: cost ?? null,
    ...(testCase?.vars && { vars: testCase.vars }),
  };
}
