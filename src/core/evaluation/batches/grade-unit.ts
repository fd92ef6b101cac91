/**
 * @file Grades the run of a unit (see `units.ts`). If a judge (a worker that grades) is called, the call
 * becomes an event of the run before the outcome is stored. A recorded verdict is reused, so that the
 * same verdict is never paid for twice.
 */
import type { Clock, Locks, Outcome, Run } from '../../contract';
import type { AskRoom } from '../../contract/money/ask-worker';
import type { Runs } from '../../runs/runs';
import type { Grading, UnitGrader } from './grading';
import { JudgeCalls } from './judge-calls';
import { outcomeOf } from './outcome-of';
import type { UnitWork } from './unit-work';

export interface GradingContext {
  readonly batchId: string;
  readonly runs: Pick<Runs, 'open' | 'grade'>;
  readonly locks: Pick<Locks, 'acquire' | 'whenFree'>;
  readonly clock: Clock;
  readonly grader: UnitGrader;
  readonly signal: AbortSignal;
  /** Reserves a call to the judge in the batch's budget. */
  readonly judgeRoom: AskRoom;
}

/**
 * Grades a run and creates the unit's outcome. Rejects with the errors of `UnitGrader.grade`, and with a
 * `FaultError` if the grade can't be stored.
 * @param run must have ended
 */
export async function gradeUnit({ unit, task }: UnitWork, run: Run, context: GradingContext): Promise<Outcome> {
  const sha256 = context.grader.judgeDigest(task, run.answer);
  if (sha256 === null) return gradeOnce({ unit, task }, run, null, context);
  const release = await acquire(`judge:${run.id}:${sha256}`, context);
  try {
    // While this batch waited for the lock, another batch may have recorded the verdict.
    const current = (await context.runs.open(run.id))?.run ?? run;
    return await gradeOnce({ unit, task }, current, sha256, context);
  } finally {
    release();
  }
}

/** Waits for a lock. The lock prevents two batches from calling the same judge for the same answer. */
async function acquire(lock: string, { locks, signal }: GradingContext): Promise<() => void> {
  for (;;) {
    const release = await locks.acquire(lock);
    if (release) return release;
    await locks.whenFree(lock, signal);
  }
}

/**
 * Grades a run. The caller holds the lock if there is a judge.
 * @param sha256 see `judgeDigest`. `null`: there is no judge
 */
async function gradeOnce(
  { unit, task }: Pick<UnitWork, 'unit' | 'task'>,
  run: Run,
  sha256: string | null,
  context: GradingContext,
): Promise<Outcome> {
  const { batchId, grader, signal } = context;
  const known = knownGrading(run, sha256);
  if (known) return outcomeOf(batchId, unit, run, known);
  const calls = new JudgeCalls({ ...context, run, sha256 });
  let grading: Grading;
  try {
    grading = await grader.grade(task, run, signal, calls.room);
  } catch (thrown) {
    await calls.end(null, '');
    throw thrown;
  }
  const strict = grading.verdicts.strict;
  const detail = strict?.detail ?? grading.fault?.message ?? '';
  const isJudged = await calls.end(strict?.correct ?? null, detail);
  const isRecorded = run.grade !== null && (run.grade.by === 'person' || run.grade.correct === strict?.correct);
  if (!isJudged && strict && run.answer !== null && !isRecorded) {
    const { correct, version } = strict;
    await calls.grade(correct, detail, version === undefined ? {} : { version });
  }
  return outcomeOf(batchId, unit, calls.run, grading);
}

/** The verdict that the run records for this judge and answer. `null`: no verdict is recorded. */
export function knownGrading({ judged }: Pick<Run, 'judged'>, sha256: string | null): Grading | null {
  if (sha256 === null) return null;
  for (const { sha256: digest, correct, detail } of judged.toReversed()) {
    if (digest === sha256 && correct !== null) return { status: 'graded', verdicts: { strict: { correct, detail } } };
  }
  return null;
}
