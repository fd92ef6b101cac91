/** @file The plan that a person edits before Run, kept for as long as the tab lives, so that a reload does not lose it. */
import * as z from 'zod/mini';
import type { PlanDraft } from './plan-draft';
import { storedDraft, toDraft, toStored } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const KEY = 'podium.plan-draft';

const memory = z.object({ question: z.string(), draft: storedDraft });

/**
 * What was edited before a reload. A worker that is not in the pool, or not yet, is no reason to drop it: the page asks for
 * another.
 * @param question the one that stands there now. What was edited under another is forgotten.
 */
export function recallDraft(question: string): PlanDraft | null {
  const parsed = z.safeParse(memory, recallJson(KEY));
  if (parsed.success && parsed.data.question === question) return toDraft(parsed.data.draft);
  remember(KEY, null);
  return null;
}

/**
 * @param draft `null`: the plan is the Conductor's own again
 * @param question the one that it stands under
 */
export function rememberDraft(draft: PlanDraft | null, question: string): void {
  remember(KEY, draft && JSON.stringify({ question, draft: toStored(draft) }));
}
