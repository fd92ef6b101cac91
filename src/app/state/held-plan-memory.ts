/**
 * @file A held plan as a person left it. An edit that may not run yet is no event of its run, so the tab remembers it until it
 * is kept by the run, the plan is let run, or the run is deleted.
 */
import * as z from 'zod/mini';
import { ROLES, type RunStore } from '../../core/contract';
import type { PlanDraft } from './plan-draft';
import { recallJson, remember } from './tab-memory';

z.config({ jitless: true });

const KEY = 'podium.held-plans';

const draftStep = z.object({
  key: z.int(),
  workerId: z.nullable(z.string()),
  subtask: z.string(),
  sees: z.array(z.int()),
  role: z.optional(z.enum(ROLES)),
});
/** By run. `round`: whose plan it is. */
const memory = z.record(z.string(), z.object({ round: z.int(), draft: z.array(draftStep) }));

/** What was left of the plan of a round; `null` if the run holds it as it was left. */
export function recallPlan(runId: string, round: number): PlanDraft | null {
  const found = readAll()[runId];
  if (found?.round !== round) return null;
  return found.draft.map(({ role, ...step }) => ({ ...step, ...(role ? { role } : {}) }));
}

export function rememberPlan(runId: string, round: number, draft: PlanDraft): void {
  const left = draft.map((step) => ({ ...step, sees: [...step.sees] }));
  writeAll({ ...readAll(), [runId]: { round, draft: left } });
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
