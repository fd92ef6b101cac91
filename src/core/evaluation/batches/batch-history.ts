/**
 * @file Collects the history that the Conductors of a batch may use: graded runs outside of batches and the outcomes of earlier
 * batches, or the rest of a table of recorded outcomes. Leaves out every run whose question is a question of the batch itself, because its grade would tell a Conductor which
 * worker solves the task.
 */
import {
  mixSeed,
  seededRandom,
  shuffled,
  unitKey,
  type Batch,
  type BatchPlan,
  type BatchStore,
  type DatasetStore,
  type GradedRun,
  type Outcome,
} from '../../contract';
import { isRecordedRight } from '../../graders/recorded-score';
import type { Runs } from '../../runs/runs';
import { recordedWorkerId } from '../recorded/recorded-pool';
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
  readonly datasets: Pick<DatasetStore, 'tasks' | 'outline'>;
  readonly runs: Pick<Runs, 'history'>;
}

/** The history that the plan of the batch names. */
export async function historyOf(batch: Batch, sources: HistorySources): Promise<readonly GradedRun[]> {
  const { history } = batch.plan;
  if (history === 'none') return [];
  const own = new Set<string>();
  for (const { id, taskIds } of batch.plan.datasets) {
    for (const question of (await questionsOf(id, taskIds, sources)).values()) own.add(plainText(question));
  }
  const isOther = ({ question }: GradedRun) => !own.has(plainText(question));
  return history === 'before' ? historyBefore(batch, isOther, sources) : historyOfTable(batch, isOther, sources);
}

/** Graded runs and outcomes from before the batch was created. */
async function historyBefore(
  batch: Batch,
  isOther: (run: GradedRun) => boolean,
  sources: HistorySources,
): Promise<readonly GradedRun[]> {
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

/**
 * The recorded scores of tasks that are in a table but not in the batch, at most about `MOST_OUTCOMES`: so routing by history is
 * learned on one part of the table and tested on another. The tasks are a random sample, which the seed of the batch decides.
 * Answers without a recorded score are left out. If no group of tasks is in both parts, the runs have their groups, so that routers
 * choose their settings by the same kind of split.
 */
async function historyOfTable(
  { plan, createdAt }: Batch,
  isOther: (run: GradedRun) => boolean,
  { datasets }: HistorySources,
): Promise<readonly GradedRun[]> {
  const workers = workersOf(plan);
  const found: GradedRun[] = [];
  for (const { id, taskIds } of plan.datasets) {
    const used = new Set(taskIds);
    const outline = await datasets.outline(id);
    const others = outline.filter((task) => !used.has(task.id));
    const tested = new Set(outline.flatMap((task) => (used.has(task.id) ? (task.group ?? []) : [])));
    const isWhole = tested.size > 0 && !others.some(({ group }) => group !== undefined && tested.has(group));
    const sample = shuffled(others, seededRandom(mixSeed('history of a table', plan.seed, id)));
    for (let from = 0; from < sample.length && found.length < MOST_OUTCOMES; from += PAGE) {
      const tasks = await datasets.tasks(
        id,
        sample.slice(from, from + PAGE).map((task) => task.id),
      );
      for (const { id: taskId, question, group, recorded = [] } of tasks) {
        for (const { worker, text } of recorded) {
          const workerId = recordedWorkerId(id, worker);
          const right = isRecordedRight(text);
          if (right === null || !workers.includes(workerId)) continue;
          const runId = `${workerId}:${taskId}`;
          const played = [{ workerId, role: 'solve' as const }];
          const own = isWhole && group !== undefined ? { group } : {};
          found.push({ runId, startedAt: createdAt, question, right, played, ...own, isOfBatch: true });
        }
      }
    }
  }
  return found.filter(isOther);
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
