/** @file The plan that a person edits before Run, kept for as long as the tab lives, so that a reload does not lose it. */
import * as z from 'zod/mini';
import type { PoolWorker } from '../../core/contract';
import { fitsPool, type PlanDraft } from './plan-draft';
import { storedDraft, toDraft } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

const KEY = 'podium.plan-draft';

/** What was edited before a reload; `null` if nothing was, or if it is for workers of whom none is in the pool any more. */
export function recallDraft(pool: readonly PoolWorker[]): PlanDraft | null {
  const parsed = z.safeParse(storedDraft, recallJson(KEY));
  if (!parsed.success) return null;
  const draft = toDraft(parsed.data);
  return fitsPool(draft, pool) ? draft : null;
}

/** @param draft `null`: the plan is the Conductor's own again */
export function rememberDraft(draft: PlanDraft | null): void {
  remember(KEY, draft && JSON.stringify(draft));
}
