/** @file Turns promptfoo's tests into rows: each prompt with the values of each test, and the right answer that a test asserts. */
import * as z from 'zod/mini';
import { isRecord, type TableRow } from '../../../core/contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

const assertion = z.looseObject({ type: z.string(), value: z.optional(z.unknown()) });
const testSchema = z.looseObject({
  description: z.optional(z.string()),
  vars: z._default(z.record(z.string(), z.unknown()), {}),
  assert: z._default(z.array(assertion), []),
});
const configSchema = z.looseObject({
  prompts: z._default(z.array(z.unknown()), []),
  tests: z.array(testSchema),
  defaultTest: z.optional(testSchema),
});
type Test = z.infer<typeof testSchema>;

/** Assertions whose value is a right answer. */
const HAS_REFERENCE = new Set(['equals', 'contains', 'icontains', 'starts-with']);

/** The right answer that a list of assertions states. `null`: none does. */
export function assertedAnswer(assertions: readonly z.infer<typeof assertion>[]): string | null {
  const value = assertions.find(({ type }) => HAS_REFERENCE.has(type))?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** @param value a configuration, or a list of tests. `null`: it is neither */
export function testRows(value: unknown): readonly TableRow[] | null {
  const parsed = configSchema.safeParse(Array.isArray(value) ? { tests: value } : value);
  if (!parsed.success) return null;
  const { prompts, tests, defaultTest } = parsed.data;
  // Prompts in other files can't be read from here.
  const templates = prompts.flatMap((prompt) => templateOf(prompt) ?? []);
  return tests.flatMap((test) => rowsOf(test, defaultTest, templates));
}

function templateOf(prompt: unknown): string | null {
  const text = isRecord(prompt) ? prompt.raw : prompt;
  return typeof text === 'string' && !text.startsWith('file://') ? text : null;
}

function rowsOf(test: Test, shared: Test | undefined, templates: readonly string[]): readonly TableRow[] {
  const vars = { ...shared?.vars, ...test.vars };
  const expected = assertedAnswer([...test.assert, ...(shared?.assert ?? [])]);
  const row = {
    ...vars,
    ...(test.description !== undefined && { description: test.description }),
    reference: expected === null ? null : filled(expected, vars),
  };
  return templates.length === 0 ? [row] : templates.map((template) => ({ question: filled(template, vars), ...row }));
}

/** Puts the values into a template, such as `Translate to {{language}}`. Other templates stay as they are. */
function filled(template: string, vars: TableRow): string {
  return template.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) => {
    const value = vars[name];
    if (value === undefined) return whole;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** Assertions of CSV files that state no right answer. Any other text is the right answer itself. */
const STATES_NO_ANSWER =
  /^(?:not-|(?:fn|eval|python|javascript|webhook|file|grade|llm-rubric|model-graded-\w+|factuality|similar|classifier|regex|i?contains-\w+|is-[a-z-]+|rouge-n|bleu|levenshtein|perplexity[a-z-]*|cost|latency|answer-relevance|context-\w+|moderation)(?:[(:]|$))/;

/** A row of a CSV file with tests, whose column `__expected` has an assertion, such as `icontains:bonjour`. */
export function withAssertedAnswer(row: TableRow): TableRow {
  const { __expected: expected } = row;
  if (typeof expected !== 'string') return row;
  const [, type = '', value = ''] = /^([a-z-]+):([^]*)$/.exec(expected) ?? [];
  if (HAS_REFERENCE.has(type)) return { ...row, reference: value.trim() };
  return { ...row, reference: expected === '' || STATES_NO_ANSWER.test(expected) ? null : expected };
}
