/** @file The form of a new search for lessons: Conductor, pool, tasks, budget, and what is expected of them. */
import {
  isAbort,
  isFree,
  isLocal,
  poolKind,
  toFault,
  type Dataset,
  type EvaluationTask,
  type Fault,
  type PoolWorker,
  type Preferences,
} from '../../core/contract';
import { maxStepsFor } from '../../core/conductor/effort';
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import { runsEstimate, searchEstimate, type SearchEstimate } from '../../core/lessons/search-estimate';
import type { ReflectionMode, SearchPlan } from '../../core/lessons/search-events';
import { FEWEST_TASKS, searchPlan, USUAL_BUDGET } from '../../core/lessons/search-plan';
import type { SearchSetup } from '../../core/lessons/stored-search';
import { isOwn, OWN_QUESTIONS } from '../../core/lessons/tasks/task-sources';
import { startOf, type NewRun } from '../../core/runs/new-run';
import type { Runs } from '../../core/runs/runs';
import { isWritten, modelOf } from '../../core/runs/preferred-run';
import type { ConductorChoice, ConductorServices, LearningDesk } from '../services';
import { newRunOf } from '../state/new-run';
import { usableTasks, type TaskChoice } from './learn-tasks';

/** The form's reactive inputs. */
export interface LearnParts {
  /** The Conductors that read a prompt. Unavailable ones have a reason in `missing`. */
  readonly conductors: readonly ConductorChoice[];
  readonly workers: readonly PoolWorker[];
  readonly preferences: Preferences;
  readonly services: Pick<ConductorServices, 'conductor'>;
  readonly runs: Pick<Runs, 'ceiling'>;
}

/** The Conductors that can learn: language models. With the policy, a model uses the same lessons. */
export function learningConductors(choices: readonly ConductorChoice[], isPrivate: boolean): ConductorChoice[] {
  return choices.filter(
    ({ info }) => isWritten(info) && partOfPolicy(info.id) === null && (!isPrivate || isLocal(info)),
  );
}

export class LearnForm {
  conductor = $state('');
  pool: readonly string[] = $state.raw([]);
  dataset = $state('');
  /** Id of the worker that reflects. `''`: the Conductor's own model. */
  reflector = $state('');
  runs: number = $state(USUAL_BUDGET.runs);
  usd: number | null = $state(null);
  concurrency = $state(4);
  mode: ReflectionMode = $state('rewrite');
  showsReference = $state(true);
  seed = $state(1);
  datasets: readonly Dataset[] = $state.raw([]);
  /** `null`: they are being read. */
  tasks: readonly EvaluationTask[] | null = $state.raw(null);
  isLoaded = $state(false);
  isStarting = $state(false);
  fault: Fault | null = $state.raw(null);

  readonly #desk: LearningDesk;
  readonly #parts: () => LearnParts;

  readonly choice: ConductorChoice | null = $derived.by(
    () => this.#parts().conductors.find(({ info }) => info.id === this.conductor) ?? null,
  );
  readonly poolWorkers: readonly PoolWorker[] = $derived.by(() =>
    this.#parts().workers.filter(({ id }) => this.pool.includes(id)),
  );
  readonly isSimulated: boolean = $derived.by(() => poolKind(this.poolWorkers) === 'practice');
  /** The workers that can reflect. */
  readonly reflectors: readonly PoolWorker[] = $derived.by(() =>
    this.#parts().workers.filter(({ kind }) => kind === 'endpoint' || kind === 'local'),
  );
  readonly reflecting: PoolWorker | null = $derived.by(() => {
    const own = this.choice ? modelOf(this.choice.info).replace(/^endpoint:/, '') : '';
    return this.reflectors.find(({ id }) => id === (this.reflector || own)) ?? null;
  });

  /** Which tasks to read. `null`: no dataset is chosen. */
  readonly wanted: TaskChoice | null = $derived.by(() =>
    this.dataset === '' ? null : { dataset: this.dataset, onlyPuzzles: this.isSimulated },
  );

  readonly #request: NewRun | null = $derived.by(() => {
    const { choice, poolWorkers: pool } = this;
    const { preferences, services } = this.#parts();
    if (!choice || pool.length === 0) return null;
    const maxSteps = maxStepsFor(choice.info, preferences.effort, pool);
    // A search runs unattended, so it must never wait for the user.
    const unattended: Preferences = { ...preferences, approval: false, choice: 'vote' };
    const question = typical(this.tasks ?? []);
    const input = { question, images: [], pool, choice, draft: null, planPool: pool, maxSteps, seed: this.seed };
    return newRunOf(input, unattended, services);
  });

  readonly #settings: SearchSetup['settings'] | null = $derived.by(() => {
    const request = this.#request;
    if (!request) return null;
    const { question: _question, seed: _seed, ...settings } = startOf(request);
    // A recursive run adds its Conductor to the pool by itself.
    return { ...settings, pool: this.poolWorkers };
  });

  #generated: readonly EvaluationTask[] = $state.raw([]);

  /** The plan without its caps, because splitting many tasks takes a while. */
  readonly #uncapped: SearchPlan | null = $derived.by(() => {
    const { tasks: own, seed, mode, reflecting, showsReference, dataset } = this;
    const settings = this.#settings;
    const source = this.datasets.find(({ id }) => id === dataset);
    if (!own || !settings || !reflecting || !source) return null;
    return searchPlan({
      own,
      areOwn: isOwn(source),
      generated: this.#generated,
      seed,
      start: settings.prompt?.lessons ?? [],
      lessonTokens: USUAL_BUDGET.lessonTokens,
      caps: { runs: 0, usd: null },
      mode,
      also: [dataset, settings, reflecting.id, showsReference],
    });
  });

  readonly plan: SearchPlan | null = $derived(
    this.#uncapped && { ...this.#uncapped, caps: { runs: this.runs, usd: this.usd } },
  );

  /** The estimates of the search and of the proof. */
  readonly estimates: { readonly search: SearchEstimate; readonly proof: SearchEstimate } | null = $derived.by(() => {
    const { plan, reflecting } = this;
    const run = this.#request;
    if (!plan || !run || !reflecting) return null;
    const { runs } = this.#parts();
    const reflection: NewRun = { ...run, pool: [reflecting], question: 'x'.repeat(REFLECTION_LENGTH), maxSteps: 1 };
    return {
      search: searchEstimate({ runs: plan.caps.runs, minibatch: plan.minibatch }, { run, reflection }, runs),
      proof: runsEstimate(2 * plan.split.test.length, run, runs),
    };
  });

  /** The reasons why the search can't start, as sentences. */
  readonly problems: readonly string[] = $derived.by(() => {
    const { choice, poolWorkers, tasks, reflecting } = this;
    const problems: string[] = [];
    if (!choice) problems.push('Choose a Conductor.');
    else if (choice.missing !== undefined) problems.push(choice.missing);
    if (poolWorkers.length < 2) problems.push('Choose at least two workers.');
    if (this.dataset === '') problems.push('Choose tasks.');
    else if (tasks && tasks.length < FEWEST_TASKS) {
      const what = this.isSimulated
        ? 'puzzles, which simulated workers can solve'
        : this.dataset === OWN_QUESTIONS
          ? 'questions whose right answer is short'
          : 'tasks that can be graded by rules';
      problems.push(`A search needs at least ${FEWEST_TASKS} ${what}. This dataset has ${tasks.length}.`);
    } else if (tasks && choice && poolWorkers.length > 0 && reflecting && !this.plan) {
      problems.push('Too many tasks are nearly equal. Choose another dataset.');
    }
    if (choice && choice.missing === undefined && !reflecting) problems.push('Choose a model that reflects.');
    const called = [...poolWorkers, ...(reflecting ? [reflecting] : [])];
    const unpriced = this.usd === null ? [] : called.filter((each) => each.price === null && !isFree(each));
    for (const { name } of unpriced.filter((each, index) => unpriced.indexOf(each) === index)) {
      problems.push(`The price of ${name} is unknown, so the budget can’t be enforced. Enter its price under Workers.`);
    }
    return problems;
  });

  constructor(desk: LearningDesk, parts: () => LearnParts) {
    this.#desk = desk;
    this.#parts = parts;
  }

  /** Reads the datasets, and makes the first choices. */
  async load(): Promise<void> {
    try {
      const all = await this.#desk.datasets.list();
      // Recorded workers have answers only to whole questions, and a plan asks other ones.
      this.datasets = all.filter(({ recordedWorkers }) => !recordedWorkers);
      const { conductors, preferences } = this.#parts();
      const ready = conductors.filter(({ missing }) => missing === undefined);
      const current = modelOf({ id: preferences.conductor ?? '' });
      this.conductor = (ready.find(({ info }) => info.id === current) ?? ready[0])?.info.id ?? '';
      this.dataset = this.datasets[0]?.id ?? '';
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
    this.isLoaded = true;
  }

  choosePool(id: string, on: boolean): void {
    const others = this.pool.filter((each) => each !== id);
    this.pool = on ? [...others, id] : others;
  }

  /** Reads the tasks. Call in an effect. @returns a function that cancels the read */
  follow(wanted: TaskChoice | null): () => void {
    this.tasks = null;
    const controller = new AbortController();
    if (wanted) void this.#read(wanted, this.seed, controller.signal);
    return () => controller.abort();
  }

  /** Stores and starts the search. @returns its id. `null`: it can't start, or it failed */
  async start(): Promise<string | null> {
    const { plan } = this;
    const setup = this.#setup();
    if (!plan || !setup || this.isStarting || this.problems.length > 0) return null;
    this.isStarting = true;
    this.fault = null;
    try {
      return (await this.#desk.searches.start(setup, plan)).id;
    } catch (thrown) {
      this.fault = toFault(thrown);
      return null;
    } finally {
      this.isStarting = false;
    }
  }

  #setup(): SearchSetup | null {
    const { reflecting: reflector, showsReference, concurrency } = this;
    const settings = this.#settings;
    const dataset = this.datasets.find(({ id }) => id === this.dataset);
    if (!settings || !reflector || !dataset) return null;
    const { id, name, isConfidential } = dataset;
    return { settings, reflector, showsReference, concurrency, dataset: { id, name, isConfidential } };
  }

  async #read(wanted: TaskChoice, seed: number, signal: AbortSignal): Promise<void> {
    try {
      const tasks = await usableTasks(this.#desk.datasets, wanted, signal);
      const generated = await this.#desk.datasets.testTasks(tasks, seed);
      if (signal.aborted) return;
      this.#generated = generated;
      this.tasks = tasks;
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }
}

/** Usual length of the request to the reflecting model, which tells of eight runs, in characters. */
const REFLECTION_LENGTH = 16_000;

/** The question of median length. */
function typical(tasks: readonly EvaluationTask[]): string {
  const inOrder = tasks.toSorted((one, other) => one.question.length - other.question.length);
  return inOrder[Math.floor(inOrder.length / 2)]?.question ?? '';
}
