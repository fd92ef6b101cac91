/** @file Keeps the user's edited plans in `sessionStorage`, so that a reload does not lose them. */
import * as z from 'zod/mini';
import type { PlanDraft } from './plan-draft';
import { storedDraft, toDraft, toStored } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const KEY = 'podium.plan-draft';

export interface EditedPlan {
  /** The question that the plan was edited for. */
  readonly question: string;
  readonly draft: PlanDraft;
  /** Whether the user has set the plan aside. A plan set aside is not used, even for its own question. */
  readonly isAside: boolean;
}

const memory = z.array(z.object({ question: z.string(), draft: storedDraft, isAside: z.boolean() }));

/** The edited plans of this tab, oldest first. A plan may name workers that have left the pool. */
export function recallDrafts(): readonly EditedPlan[] {
  const parsed = z.safeParse(memory, recallJson(KEY));
  if (parsed.success) return parsed.data.map((plan) => ({ ...plan, draft: toDraft(plan.draft) }));
  remember(KEY, null);
  return [];
}

/** Stores the edited plans. @param plans oldest first. An empty list deletes the entry */
export function rememberDrafts(plans: readonly EditedPlan[]): void {
  const stored = plans.map((plan) => ({ ...plan, draft: toStored(plan.draft) }));
  remember(KEY, stored.length === 0 ? null : JSON.stringify(stored));
}
