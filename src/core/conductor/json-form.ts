/**
 * @file Requests and parses workflows as JSON, for engines that can enforce a JSON schema but no grammar. The model writes its
 * thought first, then the steps. If the steps are given without subtasks, the model writes only the subtasks.
 */
import * as z from 'zod/mini';
import type { AccessScheme, JsonSchema, PromptMessage, Step } from '../contract';
import { formatWorkflow } from './format';
import { parseWorkflow, type ParsedWorkflow, type ParseLimits } from './parse';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

export interface JsonFormOptions {
  readonly poolSize: number;
  readonly maxSteps: number;
  readonly access: AccessScheme;
  /** Whether a plan may have no steps. Such a plan keeps the answer of the previous round. Default false. */
  readonly allowEmpty?: boolean;
  /** The steps whose subtasks the model writes. Absent: the model writes whole steps. */
  readonly skeleton?: readonly Step[] | undefined;
}

/** Longest texts, in characters. Without these limits, a model may write one text until its tokens are used up. */
const LONGEST = { thought: 600, subtask: 900 } as const;

/**
 * The schema that an answer must fit. A schema can't express that a step sees only earlier steps. `parseJsonWorkflow` checks
 * that.
 */
export function workflowSchema({ poolSize, maxSteps, access, allowEmpty, skeleton }: JsonFormOptions): JsonSchema {
  const subtask = { type: 'string', minLength: 1, maxLength: LONGEST.subtask };
  if (skeleton) {
    const steps = listOf(record({ subtask }), skeleton.length, skeleton.length);
    return record({ steps });
  }
  const step = {
    model_id: { type: 'integer', minimum: 0, maximum: poolSize - 1 },
    subtask,
    access:
      access === 'binary'
        ? { enum: ['none', 'all'] }
        : listOf({ type: 'integer', minimum: 0, maximum: Math.max(0, maxSteps - 2) }, 0, maxSteps - 1),
  };
  const thought = { type: 'string', maxLength: LONGEST.thought };
  return record({ thought, steps: listOf(record(step), allowEmpty ? 0 : 1, maxSteps) });
}

function record(properties: Readonly<Record<string, unknown>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function listOf(items: unknown, minItems: number, maxItems: number): JsonSchema {
  return { type: 'array', items, minItems, maxItems };
}

const answer = z.object({
  thought: z._default(z.string(), ''),
  steps: z.array(
    z.object({
      model_id: z.optional(z.int().check(z.gte(0))),
      subtask: z.string(),
      access: z.optional(z.union([z.enum(['none', 'all']), z.array(z.int().check(z.gte(0)))])),
    }),
  ),
});

/**
 * Parses an answer in the JSON form, and checks it like any other workflow. If the answer has another form, it is parsed as text
 * with lists.
 */
export function parseJsonWorkflow(text: string, limits: ParseLimits, skeleton?: readonly Step[]): ParsedWorkflow {
  const read = answer.safeParse(parseJson(text));
  if (!read.success) return parseWorkflow(text, limits);
  const { steps, thought } = read.data;
  const workflow = steps.map(({ model_id, subtask, access = [] }, index): Step => {
    const given = skeleton?.[index];
    const seen = access === 'none' ? [] : access === 'all' ? [...Array(index).keys()] : access;
    return {
      worker: given?.worker ?? model_id ?? -1,
      subtask,
      access: given?.access ?? [...new Set(seen)].sort((one, other) => one - other),
      ...(access === 'all' && limits.showsEarlier ? { seesEarlier: true } : {}),
    };
  });
  const parsed = parseWorkflow(formatWorkflow({ steps: workflow }, { access: 'fine' }), { ...limits, cutOff: false });
  // The problem's offset refers to the formatted lists and not to the JSON text, so it is replaced by 0.
  return parsed.ok ? { ...parsed, thought: thought.trim() } : { ok: false, problem: { ...parsed.problem, at: 0 } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const ENTRY: Record<AccessScheme, string> = {
  binary: '"none" if the step sees only the question, or "all"',
  fine: 'the step’s entry of access_list',
};
const RULE =
  '\n\nWrite your answer as one JSON object instead of the lists. "thought": one or two sentences. "steps": one object for each step, with "model_id", "subtask" and "access": ';
const SUBTASKS_RULE =
  '\n\nWrite your answer as one JSON object instead of the lists. "steps": one object for each given step, in their order, with its "subtask".';

/** Adds the instruction to answer in JSON to the last message, which is the user message. */
export function askForJson(
  messages: readonly PromptMessage[],
  { skeleton, access }: Pick<JsonFormOptions, 'skeleton' | 'access'>,
): readonly PromptMessage[] {
  const rule = { kind: 'literal', text: skeleton ? SUBTASKS_RULE : `${RULE}${ENTRY[access]}.` } as const;
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, parts: [...message.parts, rule] } : message,
  );
}
