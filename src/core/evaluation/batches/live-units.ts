/**
 * @file Runs one unit of a batch (one task with one method) as an ordinary run. A stored run that is finished is only graded. A
 * stored run that was interrupted is resumed. Without a stored run, a run is started. If another batch makes an equal run at the
 * same time, the unit waits for that run.
 */
import { fault, FaultError, isAbort, isOver, toFault, type Fault, type Outcome, type Run } from '../../contract';
import type { LiveRun } from '../../runs/live-run';
import type { NewRun } from '../../runs/new-run';
import type { Runs } from '../../runs/runs';
import { gradeUnit, type GradingContext } from './grade-unit';
import { BatchBlocked, unstartedGrading } from './grading';
import { outcomeOf } from './outcome-of';
import { templatePlan } from './template-plan';
import type { UnitWork } from './unit-work';
import { whenRunEnded, whenRunFree } from './wait-for-run';

/** The parts of the batch that its units use. */
export interface UnitContext extends GradingContext {
  readonly runs: Pick<Runs, 'open' | 'live' | 'start' | 'resumeAs' | 'grade' | 'ceiling' | 'check'>;
  /** Aborted when the batch is stopped. */
  readonly signal: AbortSignal;
  /** Aborted when the batch is pausing or stopped, so that no further run may start. */
  readonly leaving: AbortSignal;
  /** Whether the user retries failed units. If so, failed runs are resumed, too. */
  readonly isRetried: boolean;
  /** The reason why the run must not start. Such a reason also pauses the batch. `null`: the run can start. */
  readonly blocked: () => Promise<Fault | null>;
  /** Reserves the maximum cost of a run in US dollars. `null`: unknown. Resolves to whether the run may start. */
  readonly afford: (usd: number | null) => Promise<boolean>;
  /** Releases what `afford` reserved. Called if another batch makes the run. */
  readonly unreserve: () => void;
  /** Counts the cost of a run that has ended or was stopped, and releases the run's reservation. */
  readonly book: (run: Run) => void;
}

/**
 * `outcome`: the unit is done. `pause`: the batch cannot continue now, and the unit is tried again when the batch continues.
 * `left`: the batch is pausing or stopped.
 */
export type UnitResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'pause'; readonly fault: Fault }
  | { readonly kind: 'left' };

const LEFT: UnitResult = { kind: 'left' };

/** Runs and grades a unit. Never rejects. */
export async function runUnit(work: UnitWork, context: UnitContext): Promise<UnitResult> {
  try {
    const refused = await context.grader.refuse(work.task, context.signal);
    if (refused) return { kind: 'outcome', outcome: outcomeOf(context.batchId, work.unit, null, refused) };
    const run = await endedRun(work, context);
    if (run === null || context.signal.aborted) return LEFT;
    const blocked = blockedBy(run);
    if (blocked) return { kind: 'pause', fault: blocked };
    return { kind: 'outcome', outcome: await gradeUnit(work, run, context) };
  } catch (thrown) {
    if (context.signal.aborted || (isAbort(thrown) && context.leaving.aborted)) return LEFT;
    const found = toFault(thrown);
    if (PAUSING.has(found.code) || thrown instanceof BatchBlocked) return { kind: 'pause', fault: found };
    return { kind: 'outcome', outcome: outcomeOf(context.batchId, work.unit, null, unstartedGrading(thrown)) };
  }
}

/** The unit's run once it has ended. `null`: the run was not started, or was stopped. */
async function endedRun(work: UnitWork, context: UnitContext): Promise<Run | null> {
  for (let tries = 1; ; tries++) {
    const before = await storedRun(work, context);
    if (before && isSettled(before, context.isRetried)) {
      context.book(before);
      return before;
    }
    const request = await allowedRequest(work, context);
    if (request === null || context.leaving.aborted) return null;
    // While this batch waited for its budget, another batch may have started or finished an equal run.
    const live = await startedRun(work, request, context).catch((thrown: unknown) => {
      if (TAKEN.has(toFault(thrown).code) && tries < MOST_TRIES) return null;
      throw thrown;
    });
    if (live) return endedHere(live, context);
    // Another batch makes the run, so this batch reserves no money for it.
    context.unreserve();
  }
}

/**
 * The request for the unit's run, once the budget allows the run. `null`: the budget doesn't allow the run, or the batch is
 * pausing. Rejects with a `FaultError` if the run can't start.
 */
async function allowedRequest(work: UnitWork, context: UnitContext): Promise<NewRun | null> {
  const { runs, signal } = context;
  const blocked = await context.blocked();
  if (blocked) throw new BatchBlocked(blocked);
  const request = work.request();
  const refused = runs.check(request);
  if (refused) throw new FaultError(refused);
  // The plan of a template limits the cost of its run. Without the plan, the maximum cost would include all calls that the caps
  // allow. Then the budget would stop the batch far too early.
  const { free, range } = runs.ceiling(request, (await templatePlan(request, signal)) ?? undefined);
  return (await context.afford(free ? 0 : (range?.high ?? null))) ? request : null;
}

/** Starts or resumes the unit's run. `null`: an equal run is in progress, or has ended meanwhile. */
async function startedRun(work: UnitWork, request: NewRun, { runs, isRetried }: UnitContext): Promise<LiveRun | null> {
  const { runId } = work;
  const other = runs.live(runId);
  if (other && !isOver(other.run.status)) return null;
  const stored = (await runs.open(runId))?.run ?? null;
  if (stored && isSettled(stored, isRetried)) return null;
  return stored ? runs.resumeAs(runId, request) : runs.start(request);
}

/** Codes of the faults that occur if another batch has just started or finished an equal run. */
const TAKEN: ReadonlySet<string> = new Set(['run-busy', 'nothing-to-resume']);
/** Maximum number of attempts to start a run that other batches start at the same moment. */
const MOST_TRIES = 20;

async function endedHere(live: LiveRun, { signal, book }: UnitContext): Promise<Run | null> {
  const run = await ended(live, signal);
  book(run);
  if (live.notice) throw new FaultError(live.notice);
  return run.status === 'cancelled' && signal.aborted ? null : run;
}

/**
 * The stored run of a unit. Waits while another batch, in this tab or another tab, makes this run. `null`: no run is stored.
 * Rejects with a `FaultError` (`run-busy`) if the run makes no progress.
 */
async function storedRun({ runId }: UnitWork, context: UnitContext): Promise<Run | null> {
  const { runs, leaving } = context;
  const other = runs.live(runId);
  // For a run of this tab, the batch waits until the run has ended. Waiting for its lock could fail, because a
  // run that can't be saved may never release its lock.
  if (other) await whenRunEnded(other, context, leaving);
  else await whenRunFree(runId, context, leaving);
  return (await runs.open(runId))?.run ?? null;
}

async function ended(live: LiveRun, signal: AbortSignal): Promise<Run> {
  const stop = () => live.stop();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await live.done;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Whether the run is over, so that only grading remains. A run that was stopped with its batch, or that made the batch pause, is
 * not settled and will be resumed. In a retry, no failed run is settled.
 */
export function isSettled(run: Run, isRetried: boolean): boolean {
  if (run.status === 'finished') return true;
  if (!isOver(run.status) || run.status === 'interrupted' || run.status === 'cancelled') return false;
  return !isRetried && blockedBy(run) === null;
}

/**
 * Codes of faults that pause the batch. Except for `run-busy`, the reason is that the next runs would fail in
 * the same way. `run-busy` means that another batch or tab uses an equal run, and this run makes no progress.
 */
const PAUSING: ReadonlySet<string> = new Set(['offline', 'storage-full', 'storage-failed', 'run-busy']);

/** The reason to pause the batch after this run. `null`: there is no reason. */
export function blockedBy(run: Run): Fault | null {
  if (run.status !== 'failed') return null;
  if (run.capReached?.day) return fault('cap-reached', DAY_SPENT);
  return run.fault && PAUSING.has(run.fault.code) ? run.fault : null;
}

const DAY_SPENT =
  'The daily budget is spent. Raise it under Settings, or continue tomorrow. The results so far are kept.';
