/**
 * @file Finds recorded answers, which workers gave outside Podium. `storedAnswers` searches the stored
 * datasets. `KeptAnswers` searches only the tasks in memory.
 */
import {
  sha256Hex,
  type DatasetStore,
  type EvaluationTask,
  type PoolWorker,
  type RecordedAnswer,
} from '../../contract';
import { datasetIdOf } from './recorded-pool';
import type { RecordedAnswers } from './recorded-worker';

/** Number of tasks that are read together. It is small, because their answers may be long. */
const PAGE = 100;
/**
 * Number of tasks whose answers stay in memory. A batch runs fewer tasks at once. So the answers of
 * running tasks stay in memory.
 */
const MOST_KEPT = 2_000;

/** Finds answers in the store. An answer is read only when it is needed. */
export function storedAnswers(datasets: Pick<DatasetStore, 'outline' | 'tasks'>): RecordedAnswers {
  // The content of a dataset never changes, so its questions are read only once.
  const known = new Map<string, Promise<ReadonlyMap<string, string>>>();

  async function readQuestions(datasetId: string): Promise<ReadonlyMap<string, string>> {
    const ids = (await datasets.outline(datasetId)).map(({ id }) => id);
    const byQuestion = new Map<string, string>();
    for (let from = 0; from < ids.length; from += PAGE) {
      const tasks = await datasets.tasks(datasetId, ids.slice(from, from + PAGE));
      for (const { id, question } of tasks) byQuestion.set(sha256Hex(question), id);
    }
    return byQuestion;
  }

  async function questionsOf(datasetId: string): Promise<ReadonlyMap<string, string>> {
    const reading = known.get(datasetId) ?? readQuestions(datasetId);
    known.set(datasetId, reading);
    try {
      const questions = await reading;
      // A missing dataset is not cached, because it may be imported later.
      if (questions.size === 0) known.delete(datasetId);
      return questions;
    } catch (thrown) {
      known.delete(datasetId);
      throw thrown;
    }
  }

  return {
    async find(worker, question, taskId) {
      const datasetId = datasetIdOf(worker);
      const [named] = taskId === undefined ? [] : await datasets.tasks(datasetId, [taskId]);
      if (named?.question.trim() === question) return answerOf(named, worker);
      const sameQuestion = (await questionsOf(datasetId)).get(sha256Hex(question));
      const [task] = sameQuestion === undefined ? [] : await datasets.tasks(datasetId, [sameQuestion]);
      return task ? answerOf(task, worker) : null;
    },
  };
}

/**
 * Keeps the answers of the tasks that were added last in memory, because a run on a simulated clock (see
 * `player.ts`) must never wait for storage.
 */
export class KeptAnswers implements RecordedAnswers {
  readonly #tasks = new Map<string, EvaluationTask>();

  add(datasetId: string, tasks: readonly EvaluationTask[]): void {
    for (const task of tasks) {
      if (!task.recorded) continue;
      // Two tasks may have the same question. Their ids tell them apart.
      for (const key of [keyOf(datasetId, task.question), keyOf(datasetId, task.question, task.id)]) {
        this.#tasks.delete(key);
        this.#tasks.set(key, task);
      }
    }
    for (const key of this.#tasks.keys()) {
      if (this.#tasks.size <= 2 * MOST_KEPT) break;
      this.#tasks.delete(key);
    }
  }

  find(worker: PoolWorker, question: string, taskId?: string): Promise<RecordedAnswer | null> {
    const datasetId = datasetIdOf(worker);
    const task = this.#tasks.get(keyOf(datasetId, question, taskId)) ?? this.#tasks.get(keyOf(datasetId, question));
    return Promise.resolve(task ? answerOf(task, worker) : null);
  }
}

/** Wraps a dataset store. When a task is read, its recorded answers are also added to `kept`. */
export function keepingAnswers(datasets: DatasetStore, kept: KeptAnswers): DatasetStore {
  return {
    ...datasets,
    async tasks(id, ids) {
      const tasks = await datasets.tasks(id, ids);
      kept.add(id, tasks);
      return tasks;
    },
  };
}

function keyOf(datasetId: string, question: string, taskId: string | null = null): string {
  return JSON.stringify([datasetId, question.trim(), taskId]);
}

function answerOf({ recorded = [] }: EvaluationTask, { model }: PoolWorker): RecordedAnswer | null {
  return recorded.find(({ worker }) => worker === model) ?? null;
}
