/**
 * @file Lessons from the user's own graded runs, for a course that is asked to learn from them as well (off by default).
 *
 * Saved runs do not tell how likely their plans were when they were drawn: the policy plans by its most likely choice, and
 * other Conductors are no samples of it at all. Without those probabilities an importance weight would be an invention, so the
 * form is the simplest that is sound: the workflows of runs that were right are imitated, by steps that are short beside those of
 * GRPO, and those of wrong runs are left out. What a wrong run tells of its workers counts already, as the history that the
 * policy reads. In a prototype, gradient updates on 60 to 12,800 own runs moved the score by noise to +4 points; this form has
 * not been measured on real runs. Which runs were near is told by spelling here, also where a sentence model is in use.
 */
import { roleOf } from '../analysis';
import { foldEvents, type GradedRun, type Run, type RunStore, type Step } from '../contract';
import { SUBTASK } from '../conductor/wording';
import { isGrammatical, policyInput, type Move, type PolicyInput, type Skeleton } from '../policy';
import { gradedRunOf } from '../runs/graded-run';

/** What the policy would have seen, and a workflow that came to a right answer. */
export interface OwnLesson {
  readonly input: PolicyInput;
  readonly skeleton: Skeleton;
}

/** The newest graded runs that are looked at. */
const MOST_RUNS = 300;
const PAGE = 200;
/** Runs read at once. */
const TOGETHER = 50;
/** Rows of a batch, as `batch.ts` has them; a larger pool cannot be learned from. */
export const MOST_ROWS = 8;

/** Reads what can be learned from, newest first. Throws for an abort, and a `FaultError` where storage fails. */
export async function readOwnLessons(
  store: Pick<RunStore, 'summaries' | 'readMany'>,
  signal: AbortSignal,
): Promise<OwnLesson[]> {
  const runs: Run[] = [];
  let after: string | null = null;
  do {
    const page = await store.summaries({ limit: PAGE, after });
    const graded = page.summaries.filter(({ correct }) => correct !== null).map(({ id }) => id);
    for (let from = 0; from < graded.length && runs.length < MOST_RUNS; from += TOGETHER) {
      signal.throwIfAborted();
      for (const events of await store.readMany(graded.slice(from, from + TOGETHER))) {
        const run = foldEvents(events);
        if (run && runs.length < MOST_RUNS) runs.push(run);
      }
    }
    after = page.next;
  } while (after !== null && runs.length < MOST_RUNS);
  const history = runs.flatMap((run) => gradedRunOf(run) ?? []);
  return runs.flatMap((run) => lessonOf(run, history) ?? []);
}

/**
 * The lesson of a run; `null` where it was imported, was not graded right, went over several rounds, or its workflow is none that
 * the policy could have written.
 * @param history graded runs; those before this one are what the policy would have known
 */
export function lessonOf(run: Run, history: readonly GradedRun[]): OwnLesson | null {
  const [round, ...later] = run.rounds;
  if (!round || later.length > 0 || run.grade?.correct !== true || run.importedAt !== null) return null;
  const { pool, maxSteps, access, seed, startedAt } = run;
  const input = policyInput({
    question: run.question.text,
    pool,
    maxSteps,
    access,
    recursion: false,
    round: 0,
    earlier: [],
    seed,
    history: history.filter((graded) => graded.runId !== run.id && graded.startedAt < startedAt),
  });
  if (input.limits.rows > MOST_ROWS) return null;
  const skeleton = skeletonOf(
    round.steps.map(({ step }) => step),
    input.rows,
  );
  return skeleton && isGrammatical(skeleton, input.limits) ? { input, skeleton } : null;
}

function skeletonOf(steps: readonly Step[], rows: readonly number[]): Skeleton | null {
  const skeleton = steps.map(({ worker, subtask, access }, index) => {
    const role = roleOf(steps, index);
    const move: Move = subtask === SUBTASK.solveAnotherWay ? 'solveAnotherWay' : role;
    return { row: rows.indexOf(worker), move, access: access.toSorted((one, other) => one - other) };
  });
  return skeleton.length > 0 && skeleton.every(({ row }) => row >= 0) ? skeleton : null;
}
