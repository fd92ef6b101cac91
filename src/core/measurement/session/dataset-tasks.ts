/**
 * @file The tasks of datasets that take part in a measurement. A worker gets no task twice, and all workers get the tasks in the
 * same random order. Each answer is graded by the task's own grader.
 */
import {
  fault,
  FaultError,
  GRADERS,
  mixSeed,
  questionTokens,
  seededRandom,
  shuffled,
  type Dataset,
  type DatasetStore,
  type EvaluationTask,
  type GraderKind,
} from '../../contract';
import type { MeasuredDataset, MeasurementPlan } from '../../contract/measurement/measurement';
import type { UnitGraders } from '../../evaluation/batches/grading';
import { familyOf } from './dataset-families';
import type { GradedTask } from './tasks';

export interface DatasetParts {
  readonly datasets: Pick<DatasetStore, 'get' | 'outline' | 'tasks'>;
  readonly graders: Pick<UnitGraders, 'graderFor' | 'checkGradable'>;
}

/** A dataset that can take part. */
export interface OfferedDataset extends MeasuredDataset {
  /** Number of tasks. */
  readonly tasks: number;
  /** Mean tokens of a question, estimated from some of the tasks. */
  readonly tokens: number;
}

/** Number of tasks that are read at a time. It is small, because the tests of a coding task can be large. */
const PART = 20;

/** The imported datasets that have tasks which rules or programs can grade. Recorded answers can't be asked for. */
export async function offeredDatasets(
  datasets: Pick<DatasetStore, 'list' | 'outline' | 'tasks'>,
): Promise<readonly OfferedDataset[]> {
  const usable = (await datasets.list()).filter(
    ({ source, graders, recordedWorkers }) =>
      source.kind !== 'practice' && !recordedWorkers && graders.some(isGradedHere),
  );
  return Promise.all(
    usable.map(async (dataset) => {
      const ids = await shuffledIds(datasets, dataset, 0);
      const sample = await datasets.tasks(dataset.id, ids.slice(0, PART));
      const tokens = sample.reduce((sum, { question }) => sum + questionTokens({ text: question }), 0);
      const { id, name, revision, isConfidential, tasks } = dataset;
      return { id, name, revision, isConfidential, tasks, tokens: Math.ceil(tokens / Math.max(1, sample.length)) };
    }),
  );
}

/** A judge would cost money beyond the plan, and a person would have to wait for. */
function isGradedHere(kind: GraderKind): boolean {
  const { by, needs } = GRADERS[kind];
  return (by === 'rules' || by === 'sandbox') && needs !== 'score';
}

async function shuffledIds(
  datasets: Pick<DatasetStore, 'outline'>,
  { id, revision }: Pick<Dataset, 'id' | 'revision'>,
  seed: number,
): Promise<readonly string[]> {
  const outline = await datasets.outline(id);
  return shuffled(
    outline.map((task) => task.id),
    seededRandom(mixSeed(seed, 'dataset', revision)),
  );
}

/** The datasets of one measurement. */
export class DatasetTasks {
  readonly #load: (() => Promise<DatasetParts>) | undefined;
  readonly #plan: MeasurementPlan;
  readonly #queues = new Map<string, Queue>();

  /** @param load called if the plan has datasets. Absent: datasets can't be used here */
  constructor(plan: MeasurementPlan, load: (() => Promise<DatasetParts>) | undefined) {
    this.#plan = plan;
    this.#load = load;
  }

  /** Checks that all datasets are still here, before a call is made. Rejects with a `FaultError`. */
  async open(): Promise<void> {
    for (const measured of this.#plan.datasets ?? []) {
      const parts = await this.#load?.();
      const dataset = await parts?.datasets.get(measured.id);
      if (!parts || dataset?.revision !== measured.revision) throw new FaultError(missing(measured));
      const ids = await shuffledIds(parts.datasets, measured, this.#plan.seed);
      this.#queues.set(familyOf(measured), new Queue(measured, ids, parts));
    }
  }

  /**
   * The next task of a family for a worker that was given the tasks in `given`.
   * @returns `null` if the family is no dataset, or if no task is left
   */
  async next(family: string, given: ReadonlySet<string>, signal: AbortSignal): Promise<string | null> {
    return (await this.#queues.get(family)?.next(given, signal)) ?? null;
  }

  /** A task that `next` has returned. Throws a `RangeError` for others. */
  task(family: string, id: string): GradedTask {
    const task = this.#queues.get(family)?.task(id);
    if (!task) throw new RangeError(`There is no task ${id} of ${family}.`);
    return task;
  }
}

/** The tasks of a dataset in their order. Tasks that can't be graded here are left out. */
class Queue {
  readonly #dataset: MeasuredDataset;
  readonly #parts: DatasetParts;
  readonly #found = new Map<string, EvaluationTask>();
  /** Ids that were not read yet. */
  #rest: readonly string[];
  #read: Promise<unknown> = Promise.resolve();

  constructor(dataset: MeasuredDataset, ids: readonly string[], parts: DatasetParts) {
    this.#dataset = dataset;
    this.#rest = ids;
    this.#parts = parts;
  }

  async next(given: ReadonlySet<string>, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      for (const id of this.#found.keys()) if (!given.has(id)) return id;
      if (this.#rest.length === 0) return null;
      // Workers that wait for the same tasks read them only once.
      const read = this.#read.then(() => this.#readMore(given, signal));
      this.#read = read.catch(() => undefined);
      await read;
    }
  }

  task(id: string): GradedTask | null {
    const task = this.#found.get(id);
    if (!task) return null;
    return {
      question: task.question,
      isConfidential: this.#dataset.isConfidential,
      check: async (text, signal) => {
        const grader = await this.#parts.graders.graderFor(task.grader, 'strict', null);
        const { correct } = (await grader?.grade(task, text, signal)) ?? { correct: false };
        return { right: correct, readable: true };
      },
    };
  }

  async #readMore(given: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    if ([...this.#found.keys()].some((id) => !given.has(id))) return;
    const { datasets, graders } = this.#parts;
    const tasks = await datasets.tasks(this.#dataset.id, this.#rest.slice(0, PART));
    for (const task of tasks) {
      if (isGradedHere(task.grader) && (await graders.checkGradable(task, null, signal)) === null)
        this.#found.set(task.id, task);
    }
    this.#rest = this.#rest.slice(PART);
  }
}

function missing({ name }: MeasuredDataset) {
  return fault(
    'run-missing',
    `The dataset ${name} is no longer in this browser. Import it again to continue, or start a new measurement.`,
  );
}
