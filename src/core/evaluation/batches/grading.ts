/**
 * @file Grades the run of a unit (one task with one method) under the grading profiles `strict` and
 * `paper-artefact`. If the run can't be graded, the result contains the reason.
 */
import {
  fault,
  FaultError,
  GRADERS,
  GRADING_PROFILES,
  isAbort,
  isNotGradable,
  sha256Hex,
  toFault,
  type CheckedAnswer,
  type EvaluationTask,
  type Fault,
  type FaultCode,
  type Grader,
  type GraderKind,
  type GradingProfile,
  type Outcome,
  type Plan,
  type PoolWorker,
  type Run,
  type Verdict,
} from '../../contract';
import { checkedAnswers } from '../../analysis/checked-answers';
import { gradedChecks } from '../../runs/graded-checks';
import type { AskRoom } from '../../contract/money/ask-worker';
import { graderVersion } from '../../graders/grader-for';

export interface UnitGraders {
  /**
   * Finds a grader. Resolves to `null` if the profile has no rules for this kind of grader. May throw a `FaultError`.
   * @param room reserves money for the judge's calls. Absent: the batch has no budget
   */
  graderFor(
    kind: GraderKind,
    profile: GradingProfile,
    judge: PoolWorker | null,
    room?: AskRoom,
  ): Grader | null | Promise<Grader | null>;
  /** The reason why a task can't be graded here. `null` if the task can be graded. */
  checkGradable(task: EvaluationTask, judge: PoolWorker | null, signal: AbortSignal): Promise<Fault | null>;
}

/**
 * Thrown if the batch can't continue. Possible reasons: the budget has no room for the judge's call, the
 * network or the storage fails, or the runs of a method must not start.
 */
export class BatchBlocked extends FaultError {}

export type Grading = Pick<Outcome, 'status' | 'verdicts' | 'checks'> & { readonly fault?: Fault };

/**
 * The Conductor's failed plan: an attempt that a fallback replaced, or the last plan if its failure ended the
 * run. `null`: no plan failed. If a worker fails after a valid plan, the result is `null`, too.
 */
function lostPlan({ status, rounds }: Run): Pick<Plan, 'problem' | 'fault'> | null {
  for (const { plan } of rounds) {
    // Batches use no fallback. But a run that was resumed outside its batch may have used one.
    const lost = plan?.source === 'fallback' ? plan.retries.find(({ next }) => next === 'fallback') : undefined;
    if (lost) return lost;
  }
  const last = rounds.at(-1)?.plan;
  return status === 'failed' && last?.status === 'failed' ? last : null;
}

const INVALID_PLAN: Verdict = { correct: false, detail: 'The Conductor wrote no valid workflow.' };

/**
 * A digest of the judge, the task and the answer. It identifies a verdict, so that a recorded verdict can be
 * reused. `null`: no judge grades this answer.
 */
export function judgeDigest(
  judge: PoolWorker | null,
  { grader, question, reference }: EvaluationTask,
  answer: string | null,
): string | null {
  if (GRADERS[grader].by !== 'judge' || answer === null || !judge) return null;
  const { id, model, origin, sampling } = judge;
  return sha256Hex(JSON.stringify([id, model, origin, sampling ?? null, question, reference ?? null, answer]));
}

export class UnitGrader {
  readonly #graders: UnitGraders;
  readonly #judge: PoolWorker | null;

  /** @param judge grades the tasks whose grader is `judge` */
  constructor(graders: UnitGraders, judge: PoolWorker | null) {
    this.#graders = graders;
    this.#judge = judge;
  }

  /**
   * Checks whether a task can be graded, before its run costs money. `null`: the task can be graded. Rejects
   * with a `BatchBlocked` if other tasks would fail for the same reason, and with an `AbortError` on abort.
   */
  async refuse(task: EvaluationTask, signal: AbortSignal): Promise<Grading | null> {
    try {
      const reason = await this.#graders.checkGradable(task, this.#judge, signal);
      return reason && notGradable(reason);
    } catch (thrown) {
      return gradingOf(thrown, signal);
    }
  }

  /** See `judgeDigest`. */
  judgeDigest(task: EvaluationTask, answer: string | null): string | null {
    return judgeDigest(this.#judge, task, answer);
  }

  /**
   * Grades a run under both profiles. Rejects with a `BatchBlocked` if other runs would fail for the same
   * reason, and with an `AbortError` on abort.
   * @param run must have ended
   * @param room reserves money for the judge's calls
   */
  async grade(task: EvaluationTask, run: Run, signal: AbortSignal, room?: AskRoom): Promise<Grading> {
    const lost = lostPlan(run);
    // The Conductor wrote no valid workflow. The run counts as wrong, and no grader is called.
    if (lost?.problem) return { status: 'graded', verdicts: await this.#invalidPlan(task.grader) };
    if (lost || run.status !== 'finished' || run.answer === null) {
      return failedGrading(run.fault ?? lost?.fault ?? NO_ANSWER);
    }
    if (GRADERS[task.grader].by === 'person') return { status: 'waiting', verdicts: {} };
    try {
      const verdicts = await this.#verdicts(task, run.answer, signal, room);
      if (!verdicts.strict) return notGradable(NO_GRADER);
      const checks = await this.#checks(task, run, verdicts.strict.correct, signal);
      return { status: 'graded', verdicts, ...(checks.length > 0 ? { checks } : {}) };
    } catch (thrown) {
      return gradingOf(thrown, signal);
    }
  }

  /**
   * The verdicts of the run's checks. Rules grade the checked answers, too. Other graders would make calls or run programs, so then
   * only the grade of the final answer is used.
   */
  async #checks(
    task: EvaluationTask,
    run: Run,
    isCorrect: boolean,
    signal: AbortSignal,
  ): Promise<readonly CheckedAnswer[]> {
    const { by, needs } = GRADERS[task.grader];
    const grader =
      by === 'rules' && needs !== 'score' ? await this.#graders.graderFor(task.grader, 'strict', this.#judge) : null;
    if (!grader) return gradedChecks(run, isCorrect);
    const answers = new Map<string, boolean>();
    checkedAnswers(run, (answer) => {
      answers.set(answer, false);
      return null;
    });
    for (const answer of answers.keys()) answers.set(answer, (await grader.grade(task, answer, signal)).correct);
    return checkedAnswers(run, (answer) => answers.get(answer) ?? null);
  }

  async #verdicts(
    task: EvaluationTask,
    answer: string,
    signal: AbortSignal,
    room?: AskRoom,
  ): Promise<Outcome['verdicts']> {
    const verdicts: Partial<Record<GradingProfile, Verdict>> = {};
    for (const profile of GRADING_PROFILES) {
      const grader = await this.#graders.graderFor(task.grader, profile, this.#judge, room);
      if (grader) verdicts[profile] = await grader.grade(task, answer, signal);
    }
    return verdicts;
  }

  /** The verdicts for an invalid plan: wrong under each profile that has rules for the grader. */
  async #invalidPlan(kind: GraderKind): Promise<Outcome['verdicts']> {
    const find = async () => this.#graders.graderFor(kind, 'paper-artefact', this.#judge);
    const hasRules = (await find().catch(() => null)) !== null;
    const version = graderVersion(kind, 'strict');
    return {
      strict: version === 1 ? INVALID_PLAN : { ...INVALID_PLAN, version },
      ...(hasRules ? { 'paper-artefact': INVALID_PLAN } : {}),
    };
  }
}

/** Codes of faults that would also prevent the grading of other runs. */
const BLOCKING: ReadonlySet<FaultCode> = new Set([
  'cap-reached',
  'price-unknown',
  'offline',
  'storage-full',
  'storage-failed',
]);

/**
 * Converts a grader's error into a grading. Rethrows an `AbortError` on abort. Throws a `BatchBlocked` if the
 * error would recur for other runs.
 */
function gradingOf(thrown: unknown, signal: AbortSignal): Grading {
  if (isAbort(thrown) && signal.aborted) throw thrown;
  const found = toFault(thrown);
  if (BLOCKING.has(found.code)) throw new BatchBlocked(found);
  return isNotGradable(found) ? notGradable(found) : failedGrading(found);
}

function notGradable(reason: Fault): Grading {
  return { status: 'not-gradable', verdicts: {}, fault: reason };
}

const NO_ANSWER = fault('nothing-to-grade', 'The run ended without an answer. Retry it.', { retryable: true });
const NO_GRADER = fault('not-gradable', 'There is no grader for this task.');

/** The grading of a unit whose run could not start. */
export function unstartedGrading(thrown: unknown): Grading {
  const reason = toFault(thrown);
  // Of all methods, only an equal-cost control can't have a run. A retry would not help.
  return reason.code === 'not-gradable' ? notGradable(reason) : failedGrading(reason);
}

/** The grading of a unit that has no answer, or whose grader failed. */
function failedGrading(reason: Fault): Grading {
  return { status: 'failed', verdicts: {}, fault: reason };
}

/** The grading of a unit whose task was deleted. */
export function missingTask(): Grading {
  const message = 'The task is no longer in its dataset. Import the dataset again, then retry.';
  return failedGrading(fault('question-unreadable', message));
}
