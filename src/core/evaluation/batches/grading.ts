/** @file Grades the run of a unit: its verdicts under both profiles, or why it has none. */
import {
  fault,
  GRADING_PROFILES,
  isAbort,
  judgeRun,
  toFault,
  type EvaluationTask,
  type Fault,
  type Grader,
  type GraderKind,
  type GradingProfile,
  type Outcome,
  type PoolWorker,
  type Run,
  type Verdict,
} from '../../contract';

/** Finds a grader. `null`: there are no rules for this profile. May throw a `FaultError`, such as for a missing judge. */
export type FindGrader = (
  kind: GraderKind,
  profile: GradingProfile,
  judge: PoolWorker | null,
) => Grader | null | Promise<Grader | null>;

export type Grading = Pick<Outcome, 'status' | 'verdicts'> & { readonly fault?: Fault };

const INVALID_PLAN: Verdict = { correct: false, detail: 'The Conductor wrote no valid workflow.' };

export class UnitGrader {
  readonly #find: FindGrader;
  readonly #judge: PoolWorker | null;
  /** Why tasks with a solution cannot be graded here; `null` if they can. */
  readonly #solutions = new Map<string, Promise<Fault | null>>();

  /** @param judge grades the tasks whose grader is `judge` */
  constructor(find: FindGrader, judge: PoolWorker | null) {
    this.#find = find;
    this.#judge = judge;
  }

  /** Never throws, except an `AbortError`. @param run has ended */
  async grade(task: EvaluationTask, run: Run, signal: AbortSignal): Promise<Grading> {
    if (run.status !== 'finished' || run.answer === null) {
      // A run that ended because of its plan has a known result: the reward of an invalid workflow is 0.
      if (judgeRun(run).format !== false) return failedGrading(run.fault ?? NO_ANSWER);
      return { status: 'graded', verdicts: await this.#invalidPlan(task.grader) };
    }
    if (task.grader === 'person') return { status: 'waiting', verdicts: {} };
    try {
      const flawed = await this.#checkSolution(task, signal);
      if (flawed) return { status: 'not-gradable', verdicts: {}, fault: flawed };
      const verdicts = await this.#verdicts(task, run.answer, signal);
      if (verdicts.strict) return { status: 'graded', verdicts };
      return { status: 'not-gradable', verdicts: {}, fault: NO_GRADER };
    } catch (thrown) {
      if (isAbort(thrown) && signal.aborted) throw thrown;
      const found = toFault(thrown);
      const isUnreadable = found.code === 'question-unreadable';
      return isUnreadable ? { status: 'not-gradable', verdicts: {}, fault: found } : failedGrading(found);
    }
  }

  async #verdicts(task: EvaluationTask, answer: string, signal: AbortSignal): Promise<Outcome['verdicts']> {
    const verdicts: Partial<Record<GradingProfile, Verdict>> = {};
    for (const profile of GRADING_PROFILES) {
      const grader = await this.#find(task.grader, profile, this.#judge);
      if (grader) verdicts[profile] = await grader.grade(task, answer, signal);
    }
    return verdicts;
  }

  /** An invalid plan is wrong under each profile that has rules. */
  async #invalidPlan(kind: GraderKind): Promise<Outcome['verdicts']> {
    const hasRules = async () => (await this.#find(kind, 'paper-artefact', this.#judge)) !== null;
    const isComparable = await hasRules().catch(() => false);
    return { strict: INVALID_PLAN, ...(isComparable ? { 'paper-artefact': INVALID_PLAN } : {}) };
  }

  /** A task whose own solution fails here says nothing about an answer. */
  #checkSolution(task: EvaluationTask, signal: AbortSignal): Promise<Fault | null> {
    const { solution } = task;
    if (solution === undefined) return Promise.resolve(null);
    const key = JSON.stringify([task.id, task.question]);
    const known = this.#solutions.get(key) ?? this.#trySolution(task, solution, signal);
    this.#solutions.set(key, known);
    // A failure is not remembered: the next answer tries again.
    known.catch(() => this.#solutions.delete(key));
    return known;
  }

  async #trySolution(task: EvaluationTask, solution: string, signal: AbortSignal): Promise<Fault | null> {
    const grader = await this.#find(task.grader, 'strict', this.#judge);
    const verdict = await grader?.grade(task, `\`\`\`python\n${solution}\n\`\`\``, signal);
    if (!verdict || verdict.correct) return null;
    const message = `The task’s own solution fails here, so answers can’t be graded. ${verdict.detail}`;
    return fault('question-unreadable', message);
  }
}

const NO_ANSWER = fault('nothing-to-grade', 'The run ended without an answer. Retry it.', { retryable: true });
const NO_GRADER = fault('question-unreadable', 'There is no grader for this task.');

function failedGrading(reason: Fault): Grading {
  return { status: 'failed', verdicts: {}, fault: reason };
}

/** The outcome of a task that is gone. */
export function missingTask(): Grading {
  const message = 'The task is no longer in its dataset. Import the dataset again, then retry.';
  return failedGrading(fault('question-unreadable', message));
}
