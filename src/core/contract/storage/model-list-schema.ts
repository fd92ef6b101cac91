/** @file Validates stored lists of models. The contract's index doesn't export this file, so that it loads with the Workers page. */
import * as z from 'zod/mini';
import type { ModelList } from '../worker/connection';
import { amount, name, price, text } from './schema-parts';

const optional = <Shape extends z.ZodMiniType>(shape: Shape) => z.catch(z.optional(shape), undefined);
const listed = z.object({
  id: name,
  price: optional(price),
  canSee: optional(z.boolean()),
  contextWindow: optional(amount),
  maxOutput: optional(amount),
  parameters: optional(z.array(text)),
  isSilent: optional(z.boolean()),
});
const modelList = z.object({ connection: name, baseUrl: optional(text), at: z.number(), models: z.array(listed) });

/** Reads a stored list of models. `null` if it can't be read. */
export function parseModelList(value: unknown): ModelList | null {
  const parsed = z.safeParse(modelList, value);
  return parsed.success ? parsed.data : null;
}
