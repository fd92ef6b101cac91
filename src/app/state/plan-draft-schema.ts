/** @file The format of edited plans in `sessionStorage`. */
import * as z from 'zod/mini';
import { ROLES } from '../../core/contract';
import type { PlanDraft } from './plan-draft';

z.config({ jitless: true });

export const storedDraft = z
  .array(
    z.object({
      key: z.int(),
      workerId: z.nullable(z.string()),
      subtask: z.string(),
      sees: z.array(z.int()),
      seesEarlier: z.optional(z.boolean()),
      role: z.optional(z.enum(ROLES)),
    }),
  )
  // The keys of steps must be unique, because `sees` refers to steps by key.
  .check(z.refine((steps) => new Set(steps.map(({ key }) => key)).size === steps.length));

export type StoredDraft = z.infer<typeof storedDraft>;

export function toDraft(stored: StoredDraft): PlanDraft {
  return stored.map(({ seesEarlier, role, ...step }) => ({
    ...step,
    ...(seesEarlier ? { seesEarlier } : {}),
    ...(role ? { role } : {}),
  }));
}

export function toStored(draft: PlanDraft): StoredDraft {
  return draft.map((step) => ({ ...step, sees: [...step.sees] }));
}
