/**
 * @file Keeps the user's edits of held plans in `sessionStorage`. A held plan is a plan that waits for
 * approval. The edits are deleted when the run ends or is deleted. The run's events are not enough to restore
 * an edit: they never contain an invalid edit, and the page may be reloaded before a valid edit is stored. If
 * another tab edits the plan later, the older edit in `sessionStorage` is ignored.
 */
import * as z from 'zod/mini';
import type { RunStore } from '../../core/contract';
import type { PlanDraft } from './plan-draft';
import { storedDraft, toDraft, toStored } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const KEY = 'podium.held-plans';

/** Edits by run. `round`: the plan's round. `after`: the plan's `editSeq` before the edit, or -1. */
const memory = z.record(z.string(), z.object({ round: z.int(), after: z._default(z.int(), -1), draft: storedDraft }));

/** Identifies a version of a held plan. */
export interface EditedPlan {
  readonly round: number;
  /** Sequence number of the last event that edited the plan. `null`: the plan was never edited. */
  readonly editSeq: number | null;
}

/** The user's edit. `null` if there is none, or if the run's events contain a newer edit. */
export function recallPlan(runId: string, { round, editSeq }: EditedPlan): PlanDraft | null {
  const found = readAll()[runId];
  if (found?.round !== round || found.after < (editSeq ?? -1)) return null;
  return toDraft(found.draft);
}

/** Stores the user's edit of this version of the plan. */
export function rememberPlan(runId: string, { round, editSeq }: EditedPlan, draft: PlanDraft): void {
  const left = toStored(draft);
  writeAll({ ...readAll(), [runId]: { round, after: editSeq ?? -1, draft: left } });
}

export function forgetPlan(runId: string): void {
  const all = readAll();
  if (!(runId in all)) return;
  const { [runId]: deleted, ...rest } = all;
  if (deleted) writeAll(rest);
}

/** Deletes the edits of runs that no longer exist. */
export async function deleteOrphanedPlans(store: Pick<RunStore, 'summary'>): Promise<void> {
  for (const runId of Object.keys(readAll())) {
    const isThere = await store.summary(runId).catch(() => undefined);
    if (isThere === null) forgetPlan(runId);
  }
}

function readAll(): z.infer<typeof memory> {
  const parsed = z.safeParse(memory, recallJson(KEY));
  return parsed.success ? parsed.data : {};
}

function writeAll(all: z.infer<typeof memory>): void {
  remember(KEY, Object.keys(all).length > 0 ? JSON.stringify(all) : null);
}
