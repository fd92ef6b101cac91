/**
 * @file Grades the run of a unit (see `units.ts`). Each call to a judge is recorded as an event of the run before the outcome is
 * stored. A recorded verdict is reused, so a judge is paid only once for its verdict on an answer.
 */
import type { Clock, Locks, Outcome, Run } from '../../contract';
import type { JudgeRoom } from '../../graders/judge';
import type { Runs } from '../../runs';
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
  readonly judgeRoom: JudgeRoom;
}

/**
 * Grades a run and makes the unit's outcome. Rejects as `UnitGrader.grade` does, and with a `FaultError` if the grade can't be
 * stored.
 * @param run a run that has ended
 */
export async function gradeUnit({ unit, task }: UnitWork, run: Run, context: GradingContext): Promise<Outcome> {
  const sha256 = context.grader.judgeDigest(task, run.answer);
  if (sha256 === null) return gradeOnce({ unit, task }, run, null, context);
  const release = await acquire(`judge:${run.id}:${sha256}`, context);
  try {
    // Another batch may have called the same judge while this batch waited.
    const current = (await context.runs.open(run.id))?.run ?? run;
    return await gradeOnce({ unit, task }, current, sha256, context);
  } finally {
    release();
  }
}

/** Acquires a lock. The lock prevents two batches from calling the same judge for the same answer at the same time. */
async function acquire(lock: string, { locks, signal }: GradingContext): Promise<() => void> {
  for (;;) {
    const release = await locks.acquire(lock);
    if (release) return release;
    await locks.whenFree(lock, signal);
  }
}

/**
 * Grades a run without waiting for other batches. @param sha256 see `judgeDigest`. `null`: there is no judge
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
  if (!isJudged && strict && run.answer !== null && !isRecorded) await calls.grade(strict.correct, detail);
  return outcomeOf(batchId, unit, calls.run, grading);
}

/** The recorded verdict of this judge on this answer. `null`: there is none. */
export function knownGrading({ judged }: Pick<Run, 'judged'>, sha256: string | null): Grading | null {
  if (sha256 === null) return null;
  for (const { sha256: digest, correct, detail } of judged.toReversed()) {
    if (digest === sha256 && correct !== null) return { status: 'graded', verdicts: { strict: { correct, detail } } };
  }
  return null;
}
