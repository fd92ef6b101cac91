/**
 * @file Runs one unit of a batch as an ordinary run. A finished run that is already stored is only graded, an interrupted
 * one is resumed, and a missing one is started.
 */
import { fault, FaultError, isOver, toFault, type Fault, type Outcome, type Run } from '../../contract';
import type { LiveRun, Runs } from '../../runs';
import type { UnitGrader } from './grading';
import { outcomeOf } from './outcome-of';
import type { UnitWork } from './unit-work';

/** What the batch provides to its units. */
export interface UnitContext {
  readonly batchId: string;
  readonly runs: Pick<Runs, 'open' | 'start' | 'resumeAs' | 'grade' | 'ceiling' | 'check'>;
  readonly grader: UnitGrader;
  /** Aborted when the batch is stopped. */
  readonly signal: AbortSignal;
  /** Whether this is a retry, which also resumes failed runs. */
  readonly isRetried: boolean;
  /** Reserves the maximum cost of a run. Resolves to whether the run may start. @param usd `null`: unknown */
  readonly afford: (usd: number | null) => Promise<boolean>;
}

/**
 * `outcome`: the unit is done. `pause`: the batch cannot continue, and the unit is tried again when it does. `left`: the batch is
 * pausing or stopped.
 */
export type UnitResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'pause'; readonly fault: Fault }
  | { readonly kind: 'left' };

const LEFT: UnitResult = { kind: 'left' };

/** Never throws. */
export async function runUnit(work: UnitWork, context: UnitContext): Promise<UnitResult> {
  try {
    const refused = await context.grader.refuse(work.task, context.signal);
    if (refused) return { kind: 'outcome', outcome: outcomeOf(context.batchId, work.unit, null, refused) };
    const run = await endedRun(work, context);
    if (run === null || context.signal.aborted) return LEFT;
    const blocked = blockedBy(run);
    if (blocked) return { kind: 'pause', fault: blocked };
    return { kind: 'outcome', outcome: await gradedOutcome(work, run, context) };
  } catch (thrown) {
    if (context.signal.aborted) return LEFT;
    const found = toFault(thrown);
    if (PAUSING.has(found.code)) return { kind: 'pause', fault: found };
    const grading = { status: 'failed', verdicts: {}, fault: found } as const;
    return { kind: 'outcome', outcome: outcomeOf(context.batchId, work.unit, null, grading) };
  }
}

/** The unit's ended run. `null`: it was not started, or was stopped. */
async function endedRun(work: UnitWork, context: UnitContext): Promise<Run | null> {
  const { runs, signal } = context;
  const stored = (await runs.open(work.runId))?.run ?? null;
  if (stored && isSettled(stored, context.isRetried)) return stored;
  const request = work.request();
  const refused = runs.check(request);
  if (refused) throw new FaultError(refused);
  const { free, range } = runs.ceiling(request);
  if (!(await context.afford(free ? 0 : (range?.high ?? null)))) return null;
  if (signal.aborted) return null;
  const live = stored ? await runs.resumeAs(work.runId, request) : await runs.start(request);
  const run = await ended(live, signal);
  if (live.notice) throw new FaultError(live.notice);
  return run.status === 'cancelled' && signal.aborted ? null : run;
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

/** Whether the run needs no further calls. Runs that were stopped, or that paused the batch, need to be resumed. */
function isSettled(run: Run, isRetried: boolean): boolean {
  if (run.status === 'finished') return true;
  if (!isOver(run.status) || run.status === 'interrupted' || run.status === 'cancelled') return false;
  return !isRetried && blockedBy(run) === null;
}

/** Faults that would also end the next runs. */
const PAUSING: ReadonlySet<string> = new Set(['offline', 'storage-full', 'storage-failed']);

/** The reason to pause the batch after this run. `null`: none. */
function blockedBy(run: Run): Fault | null {
  if (run.status !== 'failed') return null;
  if (run.capReached?.day) return fault('cap-reached', DAY_SPENT);
  return run.fault && PAUSING.has(run.fault.code) ? run.fault : null;
}

const DAY_SPENT =
  'The daily budget is spent. Raise it under Settings, or continue tomorrow. The results so far are kept.';

async function gradedOutcome({ unit, task }: UnitWork, run: Run, context: UnitContext): Promise<Outcome> {
  const { batchId, grader, runs, signal } = context;
  const grading = await grader.grade(task, run, signal);
  const { strict } = grading.verdicts;
  const isRecorded = run.grade !== null && (run.grade.by === 'person' || run.grade.correct === strict?.correct);
  if (strict && run.answer !== null && !isRecorded) {
    await runs.grade(run.id, strict.correct, 'grader', strict.detail);
  }
  return outcomeOf(batchId, unit, run, grading);
}
