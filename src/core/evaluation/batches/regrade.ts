/** @file Grades stored answers again if their verdicts come from an older version of a grader. Makes no calls. */
import type {
  Batch,
  BatchStore,
  DatasetStore,
  EvaluationTask,
  Outcome,
  ProgressListener,
  Regraded,
} from '../../contract';
import { graderVersion } from '../../graders/grader-for';
import type { Runs } from '../../runs/runs';
import type { UnitGrader } from './grading';

/** Number of outcomes that are stored at once. */
const STORED_AT_ONCE = 50;

interface Outdated {
  readonly outcome: Outcome;
  readonly task: EvaluationTask;
}

/** The outcomes whose `strict` verdict comes from an older version of the task's grader. Outcomes without a stored task are left out. */
export async function outdatedOutcomes(
  { plan }: Batch,
  outcomes: readonly Outcome[],
  datasets: Pick<DatasetStore, 'get' | 'tasks'>,
): Promise<readonly Outdated[]> {
  const outdated: Outdated[] = [];
  for (const [index, { id }] of plan.datasets.entries()) {
    const kinds = (await datasets.get(id))?.graders ?? [];
    const newest = Math.max(1, ...kinds.map((kind) => graderVersion(kind, 'strict')));
    const older = outcomes.filter((each) => each.dataset === index && versionOf(each) < newest);
    if (older.length === 0) continue;
    const tasks = await datasets.tasks(id, [...new Set(older.map(({ taskId }) => taskId))]);
    const byId = new Map(tasks.map((task) => [task.id, task]));
    for (const outcome of older) {
      const task = byId.get(outcome.taskId);
      if (task && versionOf(outcome) < graderVersion(task.grader, 'strict')) outdated.push({ outcome, task });
    }
  }
  return outdated;
}

/** The version of the grader that gave the verdict. Infinite if there is no verdict. */
function versionOf({ status, verdicts: { strict } }: Outcome): number {
  return status === 'graded' && strict ? (strict.version ?? 1) : Infinity;
}

export interface RegradeContext {
  readonly batches: Pick<BatchStore, 'addOutcomes'>;
  readonly runs: Pick<Runs, 'open' | 'grade'>;
  readonly grader: UnitGrader;
  readonly signal: AbortSignal;
  readonly onprogress?: ProgressListener;
}

/** Grades outcomes again, and stores the new verdicts in the outcomes and in the runs. */
export async function regrade(outdated: readonly Outdated[], context: RegradeContext): Promise<Regraded> {
  const { batches, signal, onprogress } = context;
  let [nowRight, nowWrong, missing] = [0, 0, 0];
  let graded: Outcome[] = [];
  const store = async () => {
    if (graded.length > 0) await batches.addOutcomes(graded);
    graded = [];
  };
  try {
    for (const [index, each] of outdated.entries()) {
      signal.throwIfAborted();
      const next = await gradedAgain(each, context);
      if (next) graded.push(next);
      else missing++;
      const [before, after] = [each.outcome.verdicts.strict?.correct, next?.verdicts.strict?.correct];
      if (after === true && before === false) nowRight++;
      if (after === false && before === true) nowWrong++;
      if (graded.length >= STORED_AT_ONCE) await store();
      onprogress?.(index + 1, outdated.length);
    }
  } finally {
    await store();
  }
  return { checked: outdated.length - missing, nowRight, nowWrong, missing };
}

/** The outcome with its new verdicts. `null`: the run is no longer stored, or can't be graded any more. */
async function gradedAgain(
  { outcome, task }: Outdated,
  { runs, grader, signal }: RegradeContext,
): Promise<Outcome | null> {
  const run = outcome.runId === undefined ? null : ((await runs.open(outcome.runId))?.run ?? null);
  if (!run) return null;
  const { status, verdicts, checks } = await grader.grade(task, run, signal);
  const { strict } = verdicts;
  if (status !== 'graded' || !strict) return null;
  const { correct, detail, version } = strict;
  const isRecorded = run.grade === null || run.grade.by === 'person' || run.grade.correct === correct;
  if (!isRecorded) await runs.grade(run.id, correct, 'grader', detail, version === undefined ? {} : { version });
  return { ...outcome, verdicts, ...(checks ? { checks } : {}) };
}
