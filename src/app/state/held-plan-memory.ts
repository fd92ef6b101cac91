/**
 * @file A held plan as a person left it. An edit that may not run yet is no event of its run, and one that may is not on disk
 * yet, so the tab remembers it until the run has ended or is deleted. A tab that was duplicated has a copy; if the run was
 * edited meanwhile, that is void.
 */
import * as z from 'zod/mini';
import type { RunStore } from '../../core/contract';
import type { PlanDraft } from './plan-draft';
import { storedDraft, toDraft, toStored } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const KEY = 'podium.held-plans';

/** By run. `round`: whose plan it is. `after`: number of the event that had edited it last, -1 where none had. */
const memory = z.record(z.string(), z.object({ round: z.int(), after: z._default(z.int(), -1), draft: storedDraft }));

/** A held plan as the run has it. */
export interface EditedPlan {
  readonly round: number;
  /** As `Plan` has it. */
  readonly editSeq: number | null;
}

/** What was left of a plan; `null` if nothing was, or if the run was edited since. */
export function recallPlan(runId: string, { round, editSeq }: EditedPlan): PlanDraft | null {
  const found = readAll()[runId];
  if (found?.round !== round || found.after < (editSeq ?? -1)) return null;
  return toDraft(found.draft);
}

/** @param plan the plan that the draft goes on from */
export function rememberPlan(runId: string, { round, editSeq }: EditedPlan, draft: PlanDraft): void {
  const left = toStored(draft);
  writeAll({ ...readAll(), [runId]: { round, after: editSeq ?? -1, draft: left } });
}

export function forgetPlan(runId: string): void {
  const all = readAll();
  if (!(runId in all)) return;
  const { [runId]: gone, ...rest } = all;
  if (gone) writeAll(rest);
}

/** Forgets the plans of runs that were deleted, here or elsewhere. */
export async function forgetGonePlans(store: Pick<RunStore, 'summary'>): Promise<void> {
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
