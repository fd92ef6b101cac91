/**
 * @file Wraps a dataset store and adds the practice set as the last dataset. The practice set is not stored.
 * It is generated on first use.
 */
import type { DatasetStore, Dataset, EvaluationTask } from '../../../contract';
import { describeTasks } from '../describe-tasks';
import { practicePuzzles } from './generated-tasks';
import { KNOWLEDGE } from './questions/knowledge';
import { MATHEMATICS } from './questions/mathematics';
import { CODE, LANGUAGE, LOGIC } from './questions/reasoning';
import { SCIENCE } from './questions/science';

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

// The practice set: tasks made for Podium, so that an evaluation works without a download. Simulated
// workers can solve its 200 puzzles. Its 100 general questions need real workers.

/** The seed of the puzzles. The bundled policy was not trained on any of these puzzles. */
const SEED = 2;
/** Number of puzzles for each family and difficulty. */
const EACH = 10;

/** All tasks: first the puzzles by family and difficulty, then the general questions by subject. */
export function practiceTasks(): EvaluationTask[] {
  return [...practicePuzzles(SEED, EACH), ...KNOWLEDGE, ...SCIENCE, ...MATHEMATICS, ...CODE, ...LOGIC, ...LANGUAGE];
}

/** The practice set as a dataset. `addedAt` is 0, because the user did not add the set. */
export function practiceDataset(): Dataset {
  return {
    id: 'practice',
    name: 'Practice set',
    source: { kind: 'practice' },
    ...describeTasks(practiceTasks()),
    isConfidential: false,
    addedAt: 0,
  };
}
