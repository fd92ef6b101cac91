/** @file Starts, continues and lists the stored searches of the page. A lock prevents two tabs from paying for the same search. */
import { createByHandConductor } from '../conductor/by-hand';
import {
  fault,
  FaultError,
  isLocal,
  type Clock,
  type Conductor,
  type ConductorInfo,
  type DatasetStore,
  type EvaluationTask,
  type Locks,
} from '../contract';
import type { EventLogs } from '../contract/storage/event-logs';
import { UnitGrader, type UnitGraders } from '../evaluation/batches/grading';
import type { NewRun } from '../runs/new-run';
import type { Runs } from '../runs/runs';
import { LiveSearch } from './live-search';
import { nextStep } from './next-step';
import type { SearchCaps, SearchEvent, SearchPlan } from './search-events';
import {
  ablationStart,
  generatedTestTasks,
  isUnseen,
  newProofPlan,
  proofStart,
  rulesFor,
  type NewProof,
} from './search-plan';
import { searchRuns, type SearchRunsOptions } from './search-runs';
import { foldSearch, type SearchState } from './search-state';
import type { SearchRecord, SearchSetup, StoredSearchEvent, UsedTests } from './stored-search';
import { isGeneratedId, withMeasuredGrader } from './tasks/measured-tasks';
import { OWN_QUESTIONS } from './tasks/task-sources';

export interface SearchesDependencies {
  readonly logs: EventLogs<SearchRecord>;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly runs: Runs;
  readonly datasets: Pick<DatasetStore, 'tasks'>;
  readonly graders: UnitGraders;
  /** May throw a `FaultError`. */
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  /** Reads the user's settings each time, because another tab may have changed them. */
  readonly current: () => Promise<{ readonly isPrivate: boolean; readonly dayUsd: number | null }>;
}

export interface StoredSearch {
  readonly id: string;
  readonly startedAt: number;
  readonly setup: SearchSetup;
  readonly state: SearchState;
  /** The events, for an export. */
  readonly events: readonly StoredSearchEvent[];
}

/** Methods reject with a `FaultError` with a sentence for the user. */
export interface Searches {
  /** Newest first. Damaged searches are left out. */
  list(): Promise<readonly StoredSearch[]>;
  open(id: string): Promise<StoredSearch | null>;
  /** A search that this tab carries out. `null`: it does not. */
  live(id: string): LiveSearch | null;
  /** Whether this or another tab carries out the search. */
  isBusy(id: string): Promise<boolean>;
  /** Stores and starts a search. If the same search is stored, continues it. */
  start(setup: SearchSetup, plan: SearchPlan): Promise<LiveSearch>;
  /** Continues a search or its proof, and pays for nothing twice. */
  resume(id: string): Promise<LiveSearch>;
  /** Compares the best lessons so far with the current prompt. The search does not continue after that. */
  prove(id: string): Promise<LiveSearch>;
  /** Also shows what each of the proved lessons gives, by switching it off. */
  ablate(id: string): Promise<LiveSearch>;
  /** Raises the caps of a search that has ended, and continues it. Has no effect on a search that was proved. */
  raise(id: string, caps: SearchCaps): Promise<LiveSearch>;
  /** Proves lessons with another pool, as a search of its own. If it is stored, continues it. @param id of the search that found them */
  proveAgain(id: string, proof: NewProof): Promise<LiveSearch>;
  /** Deletes a search. Its runs are kept, and which tasks its proof used. Rejects while a tab carries it out. */
  remove(id: string): Promise<void>;
}

export function createSearches(dependencies: SearchesDependencies): Searches {
  const { logs, locks, clock } = dependencies;
  const live = new Map<string, LiveSearch>();

  async function lock(id: string): Promise<() => void> {
    const release = await locks.acquire(lockOf(id));
    if (release) return release;
    const message = 'This search is running, here or in another tab. Stop it there first.';
    throw new FaultError(fault('run-busy', message, { retryable: true }));
  }

  async function open(id: string): Promise<StoredSearch | null> {
    return searchOf(await logs.read(id));
  }

  async function list(): Promise<readonly StoredSearch[]> {
    const found = await Promise.all((await logs.list()).map(({ id }) => open(id).catch(() => null)));
    return found.flatMap((each) => each ?? []);
  }

  /** The tasks of other proofs on a dataset. Ids of generated tasks are the same in all datasets. @param id of the search that is left out */
  async function usedTests(dataset: string, id: string): Promise<readonly (readonly string[])[]> {
    const read = await Promise.all((await logs.list()).map((head) => logs.read(head.id)));
    const deleted = read.flat().filter((each): each is UsedTests => each.type === 'tests-used');
    const proved = (await list()).filter((other) => other.id !== id && other.state.proof);
    const used = [...deleted, ...proved.map((other) => usedBy(other, 0))];
    return used.map((each) => each.tasks.filter((task) => each.dataset === dataset || isGeneratedId(task)));
  }

  /** @param before records events before the search goes on */
  async function carryOut(id: string, before: (append: Append) => Promise<void>): Promise<LiveSearch> {
    const release = await lock(id);
    try {
      const append = await appendTo(id, dependencies);
      await before(append);
      const stored = await required(id, open);
      const tasks = await readTasks(stored, dependencies);
      const { isPrivate, dayUsd } = await dependencies.current();
      if (isPrivate) keepPrivate(stored.setup);
      const { setup, state } = stored;
      const calls = searchRuns({
        runs: dependencies.runs,
        pool: setup.settings.pool,
        request: requestsOf(stored, dayUsd, dependencies),
        plan: state.plan,
        tasks,
        grader: new UnitGrader(withMeasuredGrader(dependencies.graders, tasks.values()), null),
        reflector: setup.reflector,
        showsReference: setup.showsReference,
      });
      const started = new LiveSearch(state, {
        id,
        clock: dependencies.clock,
        calls,
        rules: rulesFor(tasks.values(), setup.settings.pool),
        append: (event) => append(event),
        concurrency: setup.concurrency,
        ended: () => {
          live.delete(id);
          release();
        },
      });
      live.set(id, started);
      return started;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  return {
    list,
    open,
    live: (id) => live.get(id) ?? null,
    async isBusy(id) {
      const release = await locks.acquire(lockOf(id));
      release?.();
      return release === null;
    },
    start: (setup, plan) =>
      carryOut(plan.id, async (append) => {
        if ((await open(plan.id)) === null) await append({ type: 'search-started', plan }, setup);
      }),
    resume: (id) => carryOut(id, () => Promise.resolve()),
    prove: (id) =>
      carryOut(id, async (append) => {
        const { state, setup } = await required(id, open);
        const event = proofStart(state, await usedTests(setup.dataset.id, id));
        if (event) await append(event);
      }),
    ablate: (id) =>
      carryOut(id, async (append) => {
        const event = ablationStart((await required(id, open)).state);
        if (event) await append(event);
      }),
    raise: (id, caps) => carryOut(id, (append) => append({ type: 'caps-changed', caps })),
    async proveAgain(id, proof) {
      const { state, setup } = await required(id, open);
      const plan = newProofPlan(state, proof);
      const { prompt: { lessons: _lessons, ...prompt } = {}, ...settings } = setup.settings;
      const own = { ...setup, settings: { ...settings, conductor: proof.conductor, pool: proof.pool, prompt } };
      return carryOut(plan.id, async (append) => {
        if (await open(plan.id)) return;
        const tasks = plan.split.test;
        const unseen = isUnseen(tasks, await usedTests(setup.dataset.id, plan.id));
        await append({ type: 'search-started', plan }, own);
        await append({ type: 'proof-started', candidate: 1, lessons: proof.lessons, tasks, isUnseen: unseen });
      });
    },
    async remove(id) {
      const release = await lock(id);
      try {
        const stored = await open(id).catch(() => null);
        if (stored?.state.proof) await logs.append(usedBy(stored, clock.now()));
        await logs.remove(id);
      } finally {
        release();
      }
    },
  };
}

/** Whether nothing is left to do, apart from a proof. */
export function isDone({ state }: Pick<StoredSearch, 'state'>): boolean {
  // Without a proof, an ended search needs no rules to know that it is done.
  if (!state.proof) return state.isEnded;
  return nextStep(state, { leaks: { problem: () => null }, names: [] }).kind === 'done';
}

/** @param at ms since the epoch */
function usedBy({ id, setup, state }: StoredSearch, at: number): UsedTests {
  return {
    id: `used:${id}`,
    seq: 0,
    at,
    type: 'tests-used',
    dataset: setup.dataset.id,
    tasks: state.proof?.tasks ?? [],
  };
}

function lockOf(id: string): string {
  return `search:${id}`;
}

type Append = (event: SearchEvent, setup?: SearchSetup) => Promise<void>;

/** Stamps and stores events. The lock must be held, so that no other tab uses the same numbers. */
async function appendTo(id: string, { logs, clock }: SearchesDependencies): Promise<Append> {
  let seq = (await logs.read(id)).length;
  return async (event, setup) => {
    await logs.append({ id, seq, at: clock.now(), ...event, ...(setup ? { setup } : {}) });
    seq += 1;
  };
}

/** Throws a `FaultError` if an event is missing, because a search with a gap would pay for calls again. */
function searchOf(records: readonly SearchRecord[]): StoredSearch | null {
  const events = records.filter((each): each is StoredSearchEvent => each.type !== 'tests-used');
  const [first] = events;
  if (!first) return null;
  if (!first.setup || events.some(({ seq }, index) => seq !== index)) throw new FaultError(DAMAGED);
  const state = foldSearch(events);
  return state && { id: first.id, startedAt: first.at, setup: first.setup, state, events };
}

const DAMAGED = fault('storage-failed', 'A part of this search is damaged or missing. Delete it, and start a new one.');

async function required(id: string, open: Searches['open']): Promise<StoredSearch> {
  const stored = await open(id);
  if (stored) return stored;
  throw new FaultError(fault('run-missing', 'This search no longer exists. It may have been deleted in another tab.'));
}

/** Rejects with a `FaultError` if a task of the dataset is missing. */
async function readTasks(
  { setup: { dataset }, state: { plan } }: StoredSearch,
  { datasets }: SearchesDependencies,
): Promise<ReadonlyMap<string, EvaluationTask>> {
  const { train, validation, test } = plan.split;
  const ids = [...train, ...validation, ...test];
  const own = await datasets.tasks(dataset.id, ids);
  const generated = generatedTestTasks(plan, new Set(own.map(({ id }) => id)));
  const tasks = new Map([...own, ...generated].map((task) => [task.id, task]));
  if (ids.every((id) => tasks.has(id))) return tasks;
  const again =
    dataset.id === OWN_QUESTIONS
      ? 'Their runs were deleted or graded as wrong, so start a new search.'
      : 'Import the same table again, with the same columns, to continue.';
  throw new FaultError(fault('run-missing', `Some tasks of ${dataset.name} are missing. ${again}`));
}

function keepPrivate({ settings, reflector }: SearchSetup): void {
  const outside = [...settings.pool, reflector].find((worker) => !isLocal(worker))?.name;
  const name = outside ?? (isLocal(settings.conductor) ? null : settings.conductor.label);
  if (name === null) return;
  const message = `Private is on, and ${name} runs on a server. Turn Private off to continue.`;
  throw new FaultError(fault('no-workers', message));
}

/** The settings of a reflection, whose plan is given. */
const ONE_PLAN = { recursion: false, recursionMode: 'self', candidates: 1 } as const;

function requestsOf(
  { id: search, setup: { settings, dataset } }: StoredSearch,
  dayUsd: number | null,
  { conductorFor }: SearchesDependencies,
): SearchRunsOptions['request'] {
  const { prompt: _prompt, skipSettled: _skips, ...plain } = settings;
  return (question, { id, seed, plan, task = 'reflection' }): NewRun => ({
    ...(plan ? { ...plain, ...ONE_PLAN } : settings),
    question,
    id,
    seed,
    conductor: plan ? createByHandConductor(plan) : conductorFor(settings.conductor),
    dayUsd,
    // A search runs unattended, so it must never wait for the user.
    choice: 'vote',
    approval: false,
    leaveOutFailed: true,
    planHistory: { history: [] },
    batch: {
      id: search,
      dataset: dataset.id,
      task,
      method: 'lessons',
      repeat: 0,
      ...(dataset.isConfidential ? { isConfidential: true } : {}),
    },
  });
}
