/**
 * @file Collects the history that the Conductors of a batch may use: graded runs outside of batches, and the outcomes of earlier
 * batches. Leaves out every run whose question is a question of the batch itself, because its grade would tell a Conductor which
 * worker solves the task.
 */
import {
  unitKey,
  type Batch,
  type BatchPlan,
  type BatchStore,
  type DatasetStore,
  type GradedRun,
  type Outcome,
} from '../../contract';
import type { Runs } from '../../runs';
import { unitsOf } from './units';

/**
 * Maximum number of outcomes of earlier batches. The newest batches count first. A Conductor compares a question with every
 * question of the history, so the history makes each plan slower.
 */
const MOST_OUTCOMES = 4_000;
/** Number of tasks that are read at a time. */
const PAGE = 100;

export interface HistorySources {
  readonly batches: Pick<BatchStore, 'list' | 'outcomes'>;
  readonly datasets: Pick<DatasetStore, 'tasks'>;
  readonly runs: Pick<Runs, 'history'>;
}

/** The history of a batch: graded runs and outcomes from before the batch was created. */
export async function historyBefore(batch: Batch, sources: HistorySources): Promise<readonly GradedRun[]> {
  const own = new Set<string>();
  for (const { id, taskIds } of batch.plan.datasets) {
    for (const question of (await questionsOf(id, taskIds, sources)).values()) own.add(plainText(question));
  }
  const isOther = ({ question }: GradedRun) => !own.has(plainText(question));
  // Runs of batches are read from the outcomes. These are complete, and need no stored runs.
  const single = (await sources.runs.history()).filter(
    ({ startedAt, isOfBatch = false }) => startedAt < batch.createdAt && !isOfBatch,
  );
  return [...single, ...(await earlierOutcomes(batch, isOther, sources))].filter(isOther);
}

/** The graded outcomes of earlier batches with the same workers, at most `MOST_OUTCOMES`. Each run counts once. */
async function earlierOutcomes(
  { id, createdAt, plan }: Batch,
  isOther: (run: GradedRun) => boolean,
  sources: HistorySources,
): Promise<readonly GradedRun[]> {
  const workers = workersOf(plan);
  const found = new Map<string, GradedRun>();
  for (const earlier of await sources.batches.list()) {
    const isEarlier = earlier.id !== id && earlier.createdAt < createdAt && !earlier.isImported;
    if (!isEarlier || !workersOf(earlier.plan).some((worker) => workers.includes(worker))) continue;
    for (const run of await gradedRunsOf(earlier, workers, sources)) {
      if (found.size >= MOST_OUTCOMES) return [...found.values()];
      if (isOther(run)) found.set(run.runId, run);
    }
  }
  return [...found.values()];
}

async function gradedRunsOf(
  batch: Batch,
  workers: readonly string[],
  sources: HistorySources,
): Promise<readonly GradedRun[]> {
  const outcomes = new Map((await sources.batches.outcomes(batch.id)).map((each) => [unitKey(each), each]));
  const concerned = (outcome: Outcome | undefined): Outcome | [] =>
    outcome?.steps.some(({ workerId }) => workers.includes(workerId)) ? outcome : [];
  // In the order of the units, which is random by task. So a part of the batch is a sample of its tasks, with all methods.
  const ordered = unitsOf(batch.plan).flatMap((unit) => concerned(outcomes.get(unitKey(unit))));
  const questions = await Promise.all(
    batch.plan.datasets.map(({ id }, index) => {
      const taskIds = ordered.filter(({ dataset }) => dataset === index).map(({ taskId }) => taskId);
      return questionsOf(id, [...new Set(taskIds)], sources);
    }),
  );
  return ordered.flatMap(({ runId, dataset, taskId, verdicts, steps, checks }): GradedRun | [] => {
    const question = questions[dataset]?.get(taskId);
    if (runId === undefined || question === undefined || !verdicts.strict) return [];
    const { correct } = verdicts.strict;
    const graded = { runId, startedAt: batch.createdAt, question, right: correct, played: steps };
    return { ...graded, ...(checks ? { checks } : {}), isOfBatch: true };
  });
}

/** The questions of tasks, by task id. Deleted tasks are left out. */
async function questionsOf(
  datasetId: string,
  taskIds: readonly string[],
  { datasets }: Pick<HistorySources, 'datasets'>,
): Promise<ReadonlyMap<string, string>> {
  const questions = new Map<string, string>();
  for (let from = 0; from < taskIds.length; from += PAGE) {
    const tasks = await datasets.tasks(datasetId, taskIds.slice(from, from + PAGE));
    for (const { id, question } of tasks) questions.set(id, question);
  }
  return questions;
}

function workersOf({ methods }: BatchPlan): readonly string[] {
  return [...new Set(methods.flatMap(({ settings }) => settings.pool.map(({ id }) => id)))];
}

/** Two questions that differ only in case and white space are the same question. */
function plainText(question: string): string {
  return question.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
