/** @file Everything that a search can take tasks from, as datasets: the stored ones, the user's own graded questions, and generated tasks. */
import type { Dataset, DatasetStore, EvaluationTask, RunStore } from '../../contract';
import { describeTasks } from '../../evaluation/datasets/describe-tasks';
import { MEASURED_DOMAINS, type MeasuredDomain } from '../../measurement/ability/observation';
import { tasksForTest } from '../search-plan';
import { measuredTaskById, measuredTasks } from './measured-tasks';
import { ownQuestionIds, ownQuestions, type OwnQuestionsOptions } from './own-questions';

export interface TaskSources extends Pick<DatasetStore, 'list' | 'outline' | 'tasks'> {
  /** See `tasksForTest`. */
  testTasks(own: readonly EvaluationTask[], seed: number): Promise<readonly EvaluationTask[]>;
}

/** Id of the dataset of the user's own graded questions. */
export const OWN_QUESTIONS = 'own-questions';
const GENERATED = 'generated-tasks';

/** Number of tasks of a generated dataset: half of them are for the test. */
export const GENERATED_TASKS = 400;
const SEED = 7;

interface Parts {
  readonly datasets: Pick<DatasetStore, 'list' | 'outline' | 'tasks'>;
  readonly store: Pick<RunStore, 'summaries' | 'readMany'>;
  /** Reads the user's settings each time. */
  readonly options: () => Promise<OwnQuestionsOptions>;
  /** Lets the page draw. Called while tasks are generated. */
  readonly pause: () => Promise<void>;
}

/** Number of tasks that are generated between two pauses. */
const BETWEEN_PAUSES = 4;

export function withTaskSources({ datasets, store, options, pause }: Parts): TaskSources {
  const made = async (tasks: Iterable<EvaluationTask>) => {
    const all: EvaluationTask[] = [];
    for (const task of tasks) {
      all.push(task);
      if (all.length % BETWEEN_PAUSES === 0) await pause();
    }
    return all;
  };
  const own = async (ids?: readonly string[]) => {
    const given = await options();
    return ownQuestions(store, ids ?? (await ownQuestionIds(store, given.countsImported)), given);
  };
  return {
    async list() {
      const ids = await ownQuestionIds(store, (await options()).countsImported);
      return [
        ...(await datasets.list()),
        ...(ids.length === 0 ? [] : [datasetOf(OWN_QUESTIONS, 'Your graded questions', ids.length)]),
        ...GENERATED_SETS.map(({ id, name }) => datasetOf(id, name, GENERATED_TASKS)),
      ];
    },
    async outline(id) {
      if (id === OWN_QUESTIONS) return own();
      const found = GENERATED_SETS.find((each) => each.id === id);
      return found ? made(measuredTasks(found.domains, SEED, GENERATED_TASKS)) : datasets.outline(id);
    },
    async tasks(id, ids) {
      if (id === OWN_QUESTIONS) return inOrder(await own(ids), ids);
      if (id.startsWith(GENERATED)) return made(tasksById(ids));
      return datasets.tasks(id, ids);
    },
    testTasks: (tasks, seed) => made(tasksForTest(tasks, seed)),
  };
}

function* tasksById(ids: readonly string[]): Generator<EvaluationTask, void, void> {
  for (const id of ids) {
    const task = measuredTaskById(id);
    if (task) yield task;
  }
}

/** Whether the tasks of a dataset are the user's. Otherwise a verdict does not hold for the user's questions. */
export function isOwn({ source }: Pick<Dataset, 'source'>): boolean {
  return source.kind !== 'practice';
}

const GENERATED_SETS: readonly {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly MeasuredDomain[];
}[] = [
  { id: GENERATED, name: 'Generated tasks', domains: MEASURED_DOMAINS },
  ...MEASURED_DOMAINS.map((domain) => {
    return { id: `${GENERATED}-${domain}`, name: `Generated tasks: ${domain}`, domains: [domain] };
  }),
];

function datasetOf(id: string, name: string, tasks: number): Dataset {
  const source: Dataset['source'] = id === OWN_QUESTIONS ? { kind: 'file', name: 'Runs' } : { kind: 'practice' };
  return { id, name, source, ...describeTasks([]), tasks, isConfidential: false, addedAt: 0 };
}

function inOrder(tasks: readonly EvaluationTask[], ids: readonly string[]): readonly EvaluationTask[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  return ids.flatMap((id) => known.get(id) ?? []);
}
