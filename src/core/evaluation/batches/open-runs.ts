/**
 * @file Finds the runs of a batch that have no outcome yet, such as stopped runs. They count towards the cost of the
 * batch, because their calls have already cost money. Calls to the judge about these runs count, too.
 */
import { chargedBy, isFree, type Batch, type Run, type RunStore, type Unit } from '../../contract';
import type { Runs } from '../../runs/runs';
import type { UnitWorks } from './unit-work';

const PAGE = 500;
/** Number of units whose tasks are read at a time. */
const UNITS = 100;

interface OpenRunsOptions {
  readonly store: Pick<RunStore, 'summaries'>;
  readonly runs: Pick<Runs, 'open'>;
}

/**
 * Finds the batch's own runs without an outcome. Yields nothing if neither the methods nor the judge cost money.
 * @param done ids of runs with an outcome
 */
export async function* openRuns(
  { id, createdAt, plan }: Batch,
  done: ReadonlySet<string>,
  { store, runs }: OpenRunsOptions,
): AsyncGenerator<Run> {
  if (isFreePlan(plan)) return;
  for (let after: string | null = null; ;) {
    const page = await store.summaries({ limit: PAGE, after });
    // The newest runs come first, and no run of the batch is older than the batch. So the search ends with the first
    // page that has an older run.
    const recent = page.summaries.filter(({ startedAt }) => startedAt >= createdAt);
    for (const summary of recent) {
      if (summary.batch !== id || done.has(summary.id)) continue;
      const opened = await runs.open(summary.id);
      if (opened) yield opened.run;
    }
    if (page.next === null || recent.length < page.summaries.length) return;
    after = page.next;
  }
}

/**
 * Finds runs that have no outcome in this batch, but for which this batch has already called its judge. Such a
 * run may belong to another batch. Or its outcome may have been deleted for a retry.
 * @param pending the units without an outcome
 */
export async function* judgedRuns(
  { id, plan: { judge } }: Batch,
  pending: readonly Unit[],
  { works, runs }: { readonly works: Pick<UnitWorks, 'of'>; readonly runs: Pick<Runs, 'open'> },
): AsyncGenerator<Run> {
  if (judge === null || isFree(judge)) return;
  for (let from = 0; from < pending.length; from += UNITS) {
    const ids = new Set((await works.of(pending.slice(from, from + UNITS))).map(({ runId }) => runId));
    for (const runId of ids) {
      const opened = await runs.open(runId);
      if (opened?.run.judged.some(({ batchId }) => batchId === id)) yield opened.run;
    }
  }
}

function isFreePlan({ methods, judge }: Batch['plan']): boolean {
  const isMethodFree = ({ settings: { conductor, pool } }: (typeof methods)[number]) =>
    isFree(chargedBy(conductor)) && pool.every(isFree);
  return methods.every(isMethodFree) && (judge === null || isFree(judge));
}
