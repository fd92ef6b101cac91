/**
 * @file Wraps a dataset store and adds the practice set as the last dataset. The practice set is not stored.
 * It is generated on first use.
 */
import type { DatasetStore } from '../../../contract';
import { practiceDataset, practiceTasks } from './practice-set';

export function withPractice(store: DatasetStore): DatasetStore {
  let made: {
    readonly dataset: ReturnType<typeof practiceDataset>;
    readonly tasks: ReturnType<typeof practiceTasks>;
  } | null = null;
  const practice = () => (made ??= { dataset: practiceDataset(), tasks: practiceTasks() });
  const isPractice = (id: string) => id === practice().dataset.id;
  return {
    list: async () => [...(await store.list()), practice().dataset],
    get: (id) => (isPractice(id) ? Promise.resolve(practice().dataset) : store.get(id)),
    add: (tasks, finish, signal) => store.add(tasks, finish, signal),
    outline: (id) => (isPractice(id) ? Promise.resolve(practice().tasks) : store.outline(id)),
    tasks(id, ids) {
      if (!isPractice(id)) return store.tasks(id, ids);
      const known = new Map(practice().tasks.map((task) => [task.id, task]));
      return Promise.resolve(ids.flatMap((taskId) => known.get(taskId) ?? []));
    },
    // The practice set can't be removed.
    remove: (id) => (isPractice(id) ? Promise.resolve() : store.remove(id)),
  };
}
