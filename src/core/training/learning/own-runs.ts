/**
 * @file Reads examples from the user's own graded runs, for a training course that also learns from these
 * runs (off by default).
 *
 * Learning from rewards needs importance weights, which are computed from the probability with which the
 * policy sampled a plan. Most saved runs have no such probability. If the policy writes a single plan, it
 * takes the most likely option at every choice instead of sampling. Other Conductors do not sample from the
 * policy. For these reasons, the course imitates the workflows of runs with a right answer, with small weight
 * updates. It does not imitate runs with a wrong answer. Wrong runs still count as history, which the policy
 * reads as input.
 *
 * In a prototype, gradient updates on 60 to 12,800 own runs raised the share of right answers by at most 4
 * percentage points. In some cases the gain was not measurable. The imitation in this version has not been
 * measured on real runs.
 *
 * The policy's input compares the question with the questions of earlier runs. In these examples, the
 * comparison is always based on spelling, even when a sentence model is in use.
 */
import { roleOf } from '../../analysis/roles';
import {
  countedGrade,
  foldEvents,
  mayCount,
  planRequestOf,
  settingsOfRound,
  type GradedRun,
  type Round,
  type Run,
  type RunStore,
  type Step,
  type StepRun,
} from '../../contract';
import { SUBTASK } from '../../conductor/wording';
import { isGrammatical, type Move, type Skeleton } from '../../policy/moves';
import { policyInput, type PolicyInput } from '../../policy/features';
import { gradedRunOf } from '../../runs/graded-run';
import { BATCH_ROWS } from './course-options';

/** The policy's input for a saved run, and the workflow that led to the run's right answer. */
export interface OwnLesson {
  readonly input: PolicyInput;
  readonly skeleton: Skeleton;
}

/** Maximum number of graded runs that are read, the newest first. */
const MAX_RUNS = 300;
/** Run summaries listed at a time. */
const PAGE_SIZE = 200;
/** Runs loaded at a time. */
const BATCH_SIZE = 50;

/**
 * Reads the examples, newest first. Throws an `AbortError` on abort, and a `FaultError` when storage fails.
 * @param countsImported see `countedGrade`
 */
export async function readOwnLessons(
  store: Pick<RunStore, 'summaries' | 'readMany'>,
  signal: AbortSignal,
  countsImported = false,
): Promise<OwnLesson[]> {
  const runs: Run[] = [];
  let after: string | null = null;
  do {
    const page = await store.summaries({ limit: PAGE_SIZE, after });
    const graded = page.summaries.filter((summary) => mayCount(summary, countsImported)).map(({ id }) => id);
    for (let from = 0; from < graded.length && runs.length < MAX_RUNS; from += BATCH_SIZE) {
      signal.throwIfAborted();
      for (const events of await store.readMany(graded.slice(from, from + BATCH_SIZE))) {
        const run = foldEvents(events);
        if (run && runs.length < MAX_RUNS) runs.push(run);
      }
    }
    after = page.next;
  } while (after !== null && runs.length < MAX_RUNS);
  const history = runs.flatMap((run) => gradedRunOf(run, countsImported) ?? []);
  return runs.flatMap((run) => lessonOf(run, history, countsImported) ?? []);
}

/**
 * Makes the example of a run with one round. Returns `null` if the run has no grade that counts, or if this
 * grade does not mark the answer as right. Also returns `null` if the run had several rounds, if its pool is
 * too large for a training batch, or if the policy cannot write the run's workflow.
 * @param history all graded runs. Only those that started before this run become part of the input
 * @param countsImported see `countedGrade`
 */
export function lessonOf(run: Run, history: readonly GradedRun[], countsImported = false): OwnLesson | null {
  const [round, ...later] = run.rounds;
  if (!round || later.length > 0 || countedGrade(run, countsImported)?.correct !== true) return null;
  const before = history.filter((graded) => graded.runId !== run.id && graded.startedAt < run.startedAt);
  // The Conductor did not request another round in this run, so the example's request does not allow recursion.
  const settings = { ...settingsOfRound(run, 0), recursion: false, effort: 'thorough' } as const;
  const input = policyInput(planRequestOf(settings, { history: before }));
  if (input.limits.rows > BATCH_ROWS) return null;
  const called = calledSteps(round);
  const skeleton = called && skeletonOf(called, input.rows);
  return skeleton && isGrammatical(skeleton, input.limits) ? { input, skeleton } : null;
}

/**
 * The steps of a round without the steps at its end that were skipped because the answer was settled. `null`: a step that was
 * called follows a skipped step, so the rest is no plan.
 */
function calledSteps({ steps }: Round): readonly Step[] | null {
  // A step whose answer is that of agreeing attempts is part of the plan, because the answer comes from all of them.
  const isSkipped = ({ settled }: StepRun) => settled !== undefined && !settled.evidence.includes(settled.from);
  const count = steps.findLastIndex((step) => !isSkipped(step)) + 1;
  const called = steps.slice(0, count);
  return called.some(isSkipped) ? null : called.map(({ step }) => step);
}

function skeletonOf(steps: readonly Step[], rows: readonly number[]): Skeleton | null {
  const skeleton = steps.map(({ worker, subtask, access }, index) => {
    const role = roleOf(steps, index);
    const move: Move = subtask === SUBTASK.solveAnotherWay ? 'solveAnotherWay' : role;
    return { row: rows.indexOf(worker), move, access: access.toSorted((one, other) => one - other) };
  });
  return skeleton.length > 0 && skeleton.every(({ row }) => row >= 0) ? skeleton : null;
}
