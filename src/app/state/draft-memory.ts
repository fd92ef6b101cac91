/** @file Keeps the plan that the user edits before Run in `sessionStorage`, so that a reload does not lose it. */
import * as z from 'zod/mini';
import type { PlanDraft } from './plan-draft';
import { storedDraft, toDraft, toStored } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const KEY = 'podium.plan-draft';

const memory = z.object({ question: z.string(), draft: storedDraft });

/**
 * The edit from before a reload. It may name workers that are not in the pool: the page then asks for others.
 * @param question the current question. An edit for another question is dropped
 */
export function recallDraft(question: string): PlanDraft | null {
  const parsed = z.safeParse(memory, recallJson(KEY));
  if (parsed.success && parsed.data.question === question) return toDraft(parsed.data.draft);
  remember(KEY, null);
  return null;
}

/**
 * @param draft `null` deletes it
 * @param question the question that the plan is for
 */
export function rememberDraft(draft: PlanDraft | null, question: string): void {
  remember(KEY, draft && JSON.stringify({ question, draft: toStored(draft) }));
}
