/** @file The form of a new batch: datasets, methods, limits and the estimate. */
import {
  GRADERS,
  isAbort,
  isFree,
  isReal,
  poolKind,
  toFault,
  type Batch,
  type BatchDataset,
  type BatchEstimate,
  type BatchPlan,
  type Dataset,
  type Fault,
  type Method,
  type PoolWorker,
  type Preferences,
} from '../../core/contract';
import { partsOf } from '../../core/conductor/solo';
import { equalCostControl, mixControl, thinkingControl } from '../../core/evaluation/batches/equal-cost';
import { isSingleWorker, thinkingSingles } from '../../core/evaluation/statistics/single-workers';
import { recordedPoolWorkers } from '../../core/evaluation/recorded/recorded-pool';
import type { ConductorChoice, ConductorServices, EvaluationDesk } from '../services';
import {
  chosenTasks,
  firstChoice,
  isMixed,
  readOutline,
  type ChosenDataset,
  type Outline,
  type OutlinedTask,
} from './batch-tasks';
import {
  methodChoices,
  methodOf,
  nameOf,
  NO_VARIATION,
  type MethodChoice,
  type MethodDraft,
  forRecordedWorkers,
} from './evaluate-methods';

/** The form's reactive inputs. */
export interface FormParts {
  readonly datasets: readonly Dataset[];
  /** The workers that can be chosen if no chosen dataset has recorded workers. */
  readonly workers: readonly PoolWorker[];
  /** Unavailable Conductors have a reason in `missing`. */
  readonly conductors: readonly ConductorChoice[];
  readonly preferences: Preferences;
  readonly services: Pick<ConductorServices, 'conductor'>;
}

export interface FormOptions {
  readonly now?: () => number;
  readonly newId?: () => string;
}

/**
 * Number of tasks in the practice batch, which runs for a few seconds. *Evaluate* offers this batch while
 * there are no batches.
 */
const PRACTICE_TASKS = 40;
const PRACTICE_METHODS = ['policy', 'template:self-reflection', 'template:random'];

/** Debounce of the estimate, in ms. */
const ESTIMATE_DEBOUNCE = 300;

function recordedPoolOf({ id, name, recordedWorkers = [] }: Dataset): PoolWorker[] {
  return recordedPoolWorkers(recordedWorkers, { id, name });
}

export class BatchForm {
  name = $state('');
  /** Ids of the workers in the pool. */
  pool: readonly string[] = $state.raw([]);
  chosen: readonly ChosenDataset[] = $state.raw([]);
  methods: readonly MethodDraft[] = $state.raw([]);
  repeats = $state(1);
  usd: number | null = $state(null);
  concurrency = $state(4);
  history: BatchPlan['history'] = $state('none');
  /** Whether the questions ask for `<answer>` tags, which the grading profile `paper-artefact` reads. */
  asksForTags = $state(false);
  seed = $state(1);
  /** Equal-cost controls of the methods: `mean` adds one to each method, `both` also adds one that is matched per task. */
  controls: 'none' | 'mean' | 'both' = $state('none');
  /** Id of the worker that grades as a judge. `''`: no judge. */
  judge = $state('');
  estimate: BatchEstimate | null = $state.raw(null);
  isStarting = $state(false);
  /** Why the estimate or the start failed. */
  fault: Fault | null = $state.raw(null);

  readonly #desk: EvaluationDesk;
  readonly #parts: () => FormParts;
  readonly #options: Required<FormOptions>;
  #outlines: readonly Outline[] = $state.raw([]);
  /** Number of drafts that were created. */
  #drafts = 0;

  readonly datasets: readonly Dataset[] = $derived.by(() =>
    this.chosen.flatMap(({ id }) => this.#parts().datasets.find((dataset) => dataset.id === id) ?? []),
  );
  /**
   * Whether a chosen dataset has recorded workers, whose answers are stored in the dataset. If so, no other
   * workers can be chosen.
   */
  readonly isRecorded: boolean = $derived.by(() => this.datasets.some(({ recordedWorkers }) => recordedWorkers));
  readonly offered: readonly PoolWorker[] = $derived.by(() =>
    this.isRecorded ? this.datasets.flatMap(recordedPoolOf) : this.#parts().workers,
  );
  readonly poolWorkers: readonly PoolWorker[] = $derived.by(() =>
    this.offered.filter(({ id }) => this.pool.includes(id)),
  );
  readonly choices: readonly MethodChoice[] = $derived.by(() => {
    const choices = methodChoices(this.#parts().conductors, this.poolWorkers);
    return this.isRecorded ? forRecordedWorkers(choices, this.needsJudge) : choices;
  });
  readonly needsJudge: boolean = $derived.by(() =>
    this.datasets.some(({ graders }) => graders.some((kind) => GRADERS[kind].by === 'judge')),
  );
  readonly judges: readonly PoolWorker[] = $derived.by(() => this.#parts().workers.filter(isReal));
  readonly isSimulated: boolean = $derived.by(() => poolKind(this.poolWorkers) === 'practice');

  readonly #methods: readonly Method[] = $derived.by(() =>
    this.methods.flatMap((draft) => this.#methodOf(draft) ?? []),
  );

  readonly #controls: readonly Method[] = $derived.by(() => {
    if (this.controls === 'none') return [];
    const compared = this.#methods.filter((method) => !isSingleWorker(method));
    // Recorded workers have one answer to each question, so they can't vote.
    if (this.isRecorded) return compared.map(mixControl);
    const thinks = thinkingSingles({ methods: this.#methods }, true).length > 0;
    return compared.flatMap((method) => [
      equalCostControl(method),
      ...(thinks ? [thinkingControl(method)] : []),
      ...(this.controls === 'both' ? [equalCostControl(method, true)] : []),
    ]);
  });

  /** Without recorded outcomes, there is no table to learn from. */
  readonly usedHistory: BatchPlan['history'] = $derived(
    this.history === 'table' && !this.isRecorded ? 'none' : this.history,
  );

  /** The plan of the batch. `null` while there are `problems`, or while the tasks of a chosen dataset are being read. */
  readonly plan: BatchPlan | null = $derived.by(() => {
    const datasets = this.chosen.flatMap((chosen) => this.#datasetOf(chosen) ?? []);
    if (this.problems.length > 0 || datasets.length < this.chosen.length) return null;
    const { repeats, seed, usedHistory: history, usd, concurrency } = this;
    const judge = this.needsJudge ? (this.judges.find(({ id }) => id === this.judge) ?? null) : null;
    // Recorded workers have answers only to the unchanged questions of their dataset.
    const format = this.asksForTags && !this.isRecorded ? ({ answerFormat: 'answer-tags' } as const) : {};
    return {
      datasets,
      methods: [...this.#methods, ...this.#controls],
      repeats,
      seed,
      history,
      judge,
      ...format,
      usd,
      concurrency,
    };
  });

  /** The reasons why the batch can't start, as sentences. */
  readonly problems: readonly string[] = $derived.by(() => {
    const problems: string[] = [];
    if (this.chosen.length === 0) problems.push('Choose a dataset.');
    const used = this.chosen.find(({ id, part, size }) => part === 'rest' && size >= this.available(id));
    const name = this.datasets.find(({ id }) => id === used?.id)?.name;
    if (name !== undefined)
      problems.push(`The sample has all tasks of ${name}, so none are left. Choose a smaller sample.`);
    if (this.poolWorkers.length === 0) problems.push('Choose at least one worker.');
    if (this.methods.length === 0) problems.push('Choose at least one method.');
    const missing = this.methods.filter(({ choice }) => !this.choices.some(({ info }) => info.id === choice));
    if (missing.length > 0) problems.push('A chosen method needs a worker that is not in the pool. Remove the method.');
    if (this.isRecorded && this.chosen.length > 1) {
      problems.push('Recorded workers have answers only to the tasks of their own table. Choose only that dataset.');
    }
    if (this.isRecorded && this.methods.some((draft) => this.#isRefused(draft))) {
      problems.push(
        'Recorded workers have answers only to whole questions. Remove the methods whose steps have other subtasks.',
      );
    }
    const repeated = this.#methods.find(({ id }, index) => this.#methods.findIndex((each) => each.id === id) < index);
    if (repeated) problems.push(`The method ${repeated.label} is listed twice. Change or remove its variation.`);
    const judge = this.needsJudge ? this.judges.find(({ id }) => id === this.judge) : undefined;
    const isExtra = judge !== undefined && !this.poolWorkers.some(({ id }) => id === judge.id);
    const called = isExtra ? [...this.poolWorkers, judge] : this.poolWorkers;
    const unpriced = this.usd === null ? [] : called.filter((each) => each.price === null && !isFree(each));
    for (const { name } of unpriced) {
      problems.push(`The price of ${name} is unknown, so the budget can’t be enforced. Enter its price under Workers.`);
    }
    if (this.controls !== 'none') {
      const singles = this.#methods.filter(isSingleWorker).length;
      if (thinkingSingles({ methods: this.#methods }, false).length === 0)
        problems.push('The equal-cost control needs a worker alone. Choose at least one.');
      else if (singles === this.#methods.length)
        problems.push('The equal-cost control needs a Conductor to compare with.');
    }
    if (this.needsJudge && !judge) {
      problems.push('Some tasks are graded by a judge. Choose a worker as the judge.');
    }
    return problems;
  });

  /** Warnings before the start, as sentences. */
  readonly notes: readonly string[] = $derived.by(() => {
    const notes: string[] = [];
    const hasSimulated = this.poolWorkers.some(({ kind }) => kind === 'simulated');
    const unreadable = this.datasets.filter(({ id, graders }) => {
      const isReadable = this.chosen.some((each) => each.id === id && each.onlyPuzzles);
      return !isReadable && graders.some((grader) => grader !== 'puzzle');
    });
    for (const { name } of hasSimulated ? unreadable : []) {
      notes.push(`Simulated workers can read only puzzles. They will fail on all other tasks of ${name}.`);
    }
    if (this.#controls.some(({ settings }) => settings.sampling.temperature === 0)) {
      notes.push(
        'With a temperature of 0, the answers of the equal-cost control hardly differ, so its vote is worth little.',
      );
    }
    if (this.datasets.some(({ graders }) => graders.some((kind) => GRADERS[kind].by === 'person'))) {
      notes.push('Some tasks have no reference answer. You must grade their answers yourself.');
    }
    return notes;
  });

  constructor(desk: EvaluationDesk, parts: () => FormParts, options: FormOptions = {}) {
    this.#desk = desk;
    this.#parts = parts;
    this.#options = { now: () => Date.now(), newId: () => crypto.randomUUID(), ...options };
  }

  /** Adds or removes a dataset and its recorded workers. Initially, only a sample of a large dataset is used. */
  choose(dataset: Dataset, on: boolean): void {
    const others = this.chosen.filter(({ id }) => id !== dataset.id);
    const onlyPuzzles = isMixed(dataset) && this.isSimulated;
    this.chosen = on ? [...others, firstChoice(dataset, onlyPuzzles)] : others;
    const recorded = recordedPoolOf(dataset).map((worker) => worker.id);
    this.pool = [...this.pool.filter((id) => !recorded.includes(id)), ...(on ? recorded : [])];
    this.#dropMissingWorkers();
    if (on) void this.#readOutline(dataset);
  }

  sample(id: string, fields: Partial<Omit<ChosenDataset, 'id'>>): void {
    this.chosen = this.chosen.map((each) => (each.id === id ? { ...each, ...fields } : each));
  }

  choosePool(id: string, on: boolean): void {
    const others = this.pool.filter((each) => each !== id);
    this.pool = on ? [...others, id] : others;
    this.#dropMissingWorkers();
  }

  /** Adds a method without variation, or removes the method with all its variations. */
  chooseMethod(choice: string, on: boolean): void {
    this.methods = on
      ? [...this.methods, this.#newDraft(choice)]
      : this.methods.filter((draft) => draft.choice !== choice);
  }

  /** Sets the equal-cost controls. They need workers alone, so all of them are chosen if none is. */
  control(controls: BatchForm['controls']): void {
    this.controls = controls;
    if (controls === 'none' || this.#methods.some(isSingleWorker)) return;
    const alone = this.choices.filter(({ section }) => section === 'workers');
    this.methods = [...this.methods, ...alone.map(({ info }) => this.#newDraft(info.id))];
  }

  /** @returns the added draft */
  addVariation(choice: string): MethodDraft {
    const draft = this.#newDraft(choice);
    this.methods = [...this.methods, draft];
    return draft;
  }

  /** Describes a method's variation, for example `plain subtasks, no examples`. `''`: the method has no variation. */
  wordsOf(draft: MethodDraft): string {
    const choice = this.choices.find(({ info }) => info.id === draft.choice);
    const label = this.#methodOf(draft)?.label ?? '';
    return choice ? label.slice(nameOf(choice).length + 2) : '';
  }

  vary({ id }: MethodDraft, variation: MethodDraft['variation']): void {
    this.methods = this.methods.map((each) => (each.id === id ? { ...each, variation } : each));
  }

  removeMethod(draft: MethodDraft): void {
    this.methods = this.methods.filter((each) => each !== draft);
  }

  /** Fills in a small batch that needs no key: puzzles, the simulated workers, and methods of every kind. */
  async usePractice(practice: Dataset): Promise<void> {
    this.pool = this.#parts().workers.flatMap(({ id, kind }) => (kind === 'simulated' ? id : []));
    const alone = this.choices.filter(({ section }) => section === 'workers').map(({ info }) => info.id);
    this.methods = [...PRACTICE_METHODS, ...alone].map((choice) => this.#newDraft(choice));
    this.name = 'Practice';
    this.chosen = [{ ...firstChoice(practice, isMixed(practice)), part: 'sample', size: PRACTICE_TASKS }];
    await this.#readOutline(practice);
  }

  /** Estimates a plan, debounced. Call in an effect. @returns a function that cancels the estimate */
  follow(plan: BatchPlan | null): () => void {
    this.estimate = null;
    if (!plan) return () => undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void this.#estimate(plan, controller.signal), ESTIMATE_DEBOUNCE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }

  /**
   * Stores and starts the batch. @returns its id. `null`: there is no plan, another start is in progress, or
   * this start failed
   */
  async start(): Promise<string | null> {
    const { plan } = this;
    if (!plan || this.isStarting) return null;
    this.isStarting = true;
    this.fault = null;
    try {
      const batch = await this.#batchOf(plan);
      await this.#desk.batches.put(batch);
      await this.#desk.runner.start(batch.id);
      return batch.id;
    } catch (thrown) {
      this.fault = toFault(thrown);
      return null;
    } finally {
      this.isStarting = false;
    }
  }

  /** Saves the plan as a file for the command line. Stores no batch in the browser. Needs a user gesture. Never rejects. */
  async exportPlan(): Promise<void> {
    const { plan } = this;
    if (!plan) return;
    this.fault = null;
    try {
      const { exportPlan } = await import('./evaluate-files');
      await exportPlan(await this.#batchOf(plan));
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }

  async #batchOf(plan: BatchPlan): Promise<Batch> {
    const { now, newId } = this.#options;
    const name = this.name.trim() || this.datasets.map((dataset) => dataset.name).join(', ');
    return { id: newId(), name, createdAt: now(), plan: await this.#desk.runner.prepare(plan), isImported: false };
  }

  /** Whether a dataset has both puzzles and other tasks. Simulated workers can solve only the puzzles. */
  isMixed(id: string): boolean {
    return this.datasets.some((dataset) => dataset.id === id && isMixed(dataset));
  }

  /** Number of tasks that the batch can draw from a dataset. */
  available(id: string): number {
    return this.#outlineOf(id)?.length ?? this.datasets.find((dataset) => dataset.id === id)?.tasks ?? 0;
  }

  #newDraft(choice: string): MethodDraft {
    this.#drafts += 1;
    return { id: this.#drafts, choice, variation: NO_VARIATION };
  }

  /**
   * Removes single-worker methods whose worker is not in the pool. The form doesn't show them, so the user
   * could not remove them.
   */
  #dropMissingWorkers(): void {
    this.methods = this.methods.filter(({ choice }) => {
      const { worker } = partsOf(choice);
      return worker === null || this.poolWorkers.some(({ id }) => id === worker);
    });
  }

  #isRefused({ choice }: MethodDraft): boolean {
    return this.choices.some(({ info, missing }) => info.id === choice && missing !== undefined);
  }

  #outlineOf(id: string): readonly OutlinedTask[] | undefined {
    const outline = this.#outlines.find((each) => each.id === id)?.tasks;
    const onlyPuzzles = this.chosen.some((each) => each.id === id && each.onlyPuzzles);
    return onlyPuzzles ? outline?.filter(({ isPuzzle }) => isPuzzle === true) : outline;
  }

  #methodOf(draft: MethodDraft): Method | null {
    const { preferences, services } = this.#parts();
    const choice = this.choices.find(({ info }) => info.id === draft.choice);
    return choice ? methodOf(draft, choice, { pool: this.poolWorkers, preferences, services }) : null;
  }

  #datasetOf(chosen: ChosenDataset): BatchDataset | null {
    const { id } = chosen;
    const dataset = this.datasets.find((each) => each.id === id);
    const outline = this.#outlineOf(id);
    if (!dataset || !outline) return null;
    const { name, revision, isConfidential, map } = dataset;
    return { id, name, revision, isConfidential, taskIds: chosenTasks(outline, chosen), ...(map && { map }) };
  }

  async #readOutline(dataset: Dataset): Promise<void> {
    const { id } = dataset;
    if (this.#outlines.some((each) => each.id === id)) return;
    try {
      const outline = await readOutline(this.#desk.datasets, dataset);
      this.#outlines = [...this.#outlines, outline];
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  async #estimate(plan: BatchPlan, signal: AbortSignal): Promise<void> {
    try {
      const estimate = await this.#desk.runner.estimate(await this.#desk.runner.prepare(plan), null, signal);
      if (!signal.aborted) this.estimate = estimate;
    } catch (thrown) {
      if (!signal.aborted && !isAbort(thrown)) this.fault = toFault(thrown);
    }
  }
}
