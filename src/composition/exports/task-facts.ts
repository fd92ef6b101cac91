/** @file Finds the names of a run's batch, dataset and method, and the right answer of its task. */
import {
  GRADERS,
  type BatchReference,
  type BatchStore,
  type DatasetStore,
  type EvaluationTask,
} from '../../core/contract';
import type { TaskFacts } from '../../core/analysis/exports/table';

interface FactSources {
  readonly batches: Pick<BatchStore, 'get'>;
  readonly datasets: Pick<DatasetStore, 'tasks'>;
}

/** Each batch is read only once. Rejects with a `FaultError` if storage fails. */
export function createFactsOf({ batches, datasets }: FactSources): (batch: BatchReference) => Promise<TaskFacts> {
  const known = new Map<string, ReturnType<FactSources['batches']['get']>>();
  return async ({ id, dataset, task, method }) => {
    const reading = known.get(id) ?? batches.get(id);
    known.set(id, reading);
    const [batch, [stored]] = await Promise.all([reading, datasets.tasks(dataset, [task])]);
    return {
      batch: batch?.name ?? null,
      dataset: batch?.plan.datasets.find((each) => each.id === dataset)?.name ?? null,
      method: batch?.plan.methods.find((each) => each.id === method)?.label ?? null,
      reference: stored ? referenceOf(stored) : null,
    };
  };
}

/** For a programming task, the reference has the tests, and the solution is the right answer. */
function referenceOf({ grader, reference, solution }: EvaluationTask): string | null {
  return (GRADERS[grader].by === 'sandbox' ? solution : reference) ?? null;
}
