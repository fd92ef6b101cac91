/** @file The message that the Web Workers of WebLLM and of transformers.js have in common: generate an answer. */
import * as z from 'zod/mini';
import type { GenerateRequest } from '../../core/contract';

const bound = z.object({
  opens: z.nullable(z.string()),
  closes: z.string(),
  ends: z.array(z.string()),
  tokens: z.int(),
});
const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

/** Parses the command that generates an answer. */
export const generate = z.object({
  type: z.literal('generate'),
  messages: z.array(message),
  grammar: z.nullable(z.string()),
  bounds: z.array(bound),
  temperature: z.number(),
  maxTokens: z.int().check(z.positive()),
  seed: z.optional(z.number()),
});

export type GenerateCommand = z.infer<typeof generate>;

export function generateCommand(request: GenerateRequest): GenerateCommand {
  const { messages, grammar, bounds = [], temperature, maxTokens, seed } = request;
  return {
    type: 'generate',
    messages: messages.map(({ role, content }) => ({ role, content })),
    grammar,
    bounds: bounds.map((bound) => ({ ...bound, ends: [...bound.ends] })),
    temperature,
    maxTokens,
    ...(seed === undefined ? {} : { seed }),
  };
}
