/** @file Simulates a browser with a dataset and paid workers. Its pages run batches and may crash. */
import { templateConductor } from '../../../../src/core/conductor/templates';
import {
  fault,
  FaultError,
  foldEvents,
  type Batch,
  type BatchPlan,
  type Conductor,
  type ConductorInfo,
  type Dataset,
  type EvaluationTask,
  type PoolWorker,
  type Run,
  type RunEvent,
  type RunStore,
  type Unit,
  type WorkerClient,
} from '../../../../src/core/contract';
import { createBatchRunner } from '../../../../src/core/evaluation/batches/runner';
import { createUnitPlayer } from '../../../../src/core/evaluation/batches/player';
import type { UnitGraders } from '../../../../src/core/evaluation/batches/grading';
import { execute } from '../../../../src/core/executor/execute';
import { createRuns } from '../../../../src/core/runs/run-keeper';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import { addDataset, batchOf, methodSettings } from '../../../fixtures/evaluation/practice';
import { singleWorkerMethods, templateMethods } from '../../../fixtures/evaluation/template-methods';
import { FakeClock } from '../../../fixtures/fake-clock';
import { MemoryLocks, MemoryNotices } from '../../../fixtures/memory-locks';
import { MemoryStore } from '../../../fixtures/memory-store';
import { currentSetup } from '../../runs/scripted';

function paidWorker(id: string): PoolWorker {
  return {
    id,
    name: id,
    mark: id.slice(0, 2),
    colour: 1,
    kind: 'endpoint',
    model: id,
    origin: 'https://api.example.com',
    price: { input: 20, output: 40 },
  };
}

const POOL = [paidWorker('ash'), paidWorker('oak')];
/** Actual cost of one call, US dollars. The maximum cost of a call, computed from the prices, is higher. */
export const CALL_COST = 0.01;

/** A worker that grades the answers of other workers. */
export const JUDGE: PoolWorker = {
  ...paidWorker('judge'),
  name: 'Judge',
  price: { input: 1, output: 1 },
};
/** Actual cost of one call to the judge, US dollars. */
export const JUDGE_COST = 0.001;

export function exactTasks(count: number): EvaluationTask[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `task-${index}`,
    question: `What is question ${index}?`,
    reference: 'yes',
    grader: 'exact',
    domain: 'knowledge',
  }));
}

/** Two methods with a single worker, and the method Mixture of Agents, which makes three calls. */
export function paidMethods() {
  const settings = methodSettings({ pool: POOL, sampling: { temperature: 0, maxTokens: 100 } });
  return [...singleWorkerMethods(settings), ...templateMethods('mixture-of-agents', settings)];
}

export class World {
  readonly store = new MemoryStore();
  readonly locks = new MemoryLocks();
  readonly notices = new MemoryNotices();
  readonly clock = new FakeClock('auto');
  readonly datasets = createMemoryDatasetStore();
  readonly batches = createMemoryBatchStore();
  /** Every call that was sent: the worker's id, the seed and the prompt. */
  readonly calls: string[] = [];
  readonly tasks: readonly EvaluationTask[];
  dataset: Dataset | null = null;
  /** Revision of the policy in use. */
  policyRevision = 'first';

  constructor(tasks: readonly EvaluationTask[] = exactTasks(4)) {
    this.tasks = tasks;
  }

  async add(more: Partial<BatchPlan> = {}, id = 'batch'): Promise<Batch> {
    this.dataset ??= await addDataset(this.datasets, this.tasks);
    const plan = batchOf(this.dataset, this.tasks, { methods: paidMethods(), ...more });
    const batch = { ...plan, id };
    await this.batches.put(batch);
    return batch;
  }

  async runs(): Promise<readonly { readonly run: Run; readonly events: readonly RunEvent[] }[]> {
    const { summaries } = await this.store.summaries({ limit: 10_000 });
    const read = await this.store.readMany(summaries.map(({ id }) => id));
    return read.flatMap((events) => {
      const run = foldEvents(events);
      return run ? [{ run, events: events as readonly RunEvent[] }] : [];
    });
  }
}

export interface PageOptions {
  /** The page crashes after this many stored events. Default: never. */
  readonly crashAfter?: number;
  /** The page crashes once it has stored an event for which this function returns `true`. Default: never. */
  readonly crashAt?: (event: RunEvent) => boolean;
  /**
   * Returns the answer of a worker. If this function throws a `FaultError`, the call fails. By default, every
   * worker answers “yes”.
   */
  readonly answer?: (workerId: string, prompt: string) => string;
  readonly graders?: UnitGraders;
  /** Returns a Conductor. If this function returns `null`, the page uses the template Conductor of `info`. */
  readonly conductors?: (info: ConductorInfo) => Conductor | null;
  /** Whether the page runs a unit. By default, the page runs all units. */
  readonly isOwn?: (unit: Unit) => boolean;
  /** The cost that a worker reports for a call, US dollars. `null`: the worker reports no cost. Default: `CALL_COST`. */
  readonly costOf?: (workerId: string) => number | null;
  /** Whether the *Private* setting is on. Default: off. */
  readonly isPrivate?: boolean;
  /** Ms that a worker takes to answer. Default: 20. */
  readonly replyTime?: number;
}

/** Grades an answer as right if it contains “yes”. */
export const EXACT: UnitGraders = {
  graderFor: (_kind, profile) =>
    profile === 'strict'
      ? { grade: async (_task, answer) => ({ correct: answer.includes('yes'), detail: `It says ${answer}.` }) }
      : null,
  checkGradable: async () => null,
};

export function openPage(
  world: World,
  {
    crashAfter = Infinity,
    crashAt = () => false,
    answer = () => 'yes',
    graders = EXACT,
    costOf = () => CALL_COST,
    isOwn = () => true,
    conductors = () => null,
    isPrivate = false,
    replyTime = 20,
  }: PageOptions = {},
) {
  let left = crashAfter;
  let crash: () => void = () => undefined;
  const crashed = new Promise<void>((resolve) => (crash = resolve));
  const never = () => new Promise<never>(() => undefined);
  /** After the crash of the page, skips the work and never resolves. */
  const alive = <T>(work: () => Promise<T>): Promise<T> => (left <= 0 ? never() : work());
  const store: RunStore = Object.assign(Object.create(world.store) as RunStore, {
    append: (event: RunEvent) =>
      alive(async () => {
        left -= 1;
        await world.store.append(event);
        if (crashAt(event)) left = 0;
        if (left <= 0) {
          crash();
          await never();
        }
      }),
    read: (id: string) => world.store.read(id),
    readMany: (ids: readonly string[]) => world.store.readMany(ids),
    summary: (id: string) => world.store.summary(id),
    summaries: (options: { limit: number; after?: string | null }) => world.store.summaries(options),
    unfinished: () => world.store.unfinished(),
    count: () => world.store.count(),
    flush: () => world.store.flush(),
  });
  const batches = {
    ...world.batches,
    addOutcomes: (...given: Parameters<typeof world.batches.addOutcomes>) =>
      alive(() => world.batches.addOutcomes(...given)),
  };
  const own = world.locks.tab();
  const locks: typeof own = {
    acquire: (name) => alive(() => own.acquire(name)),
    whenFree: (name, signal) => alive(() => own.whenFree(name, signal)),
    close: () => own.close(),
  };
  const client: WorkerClient = {
    async *run(messages, { worker, seed }, signal) {
      const prompt = messages.map(({ content }) => content).join('\n');
      if (left <= 0) await never();
      world.calls.push(`${worker.id} ${seed} ${prompt}`);
      await world.clock.sleep(replyTime, signal);
      if (left <= 0) await never();
      let text: string;
      try {
        text = answer(worker.id, prompt);
      } catch (thrown) {
        const reason = thrown instanceof FaultError ? thrown.fault : fault('internal', String(thrown));
        yield { type: 'failed', fault: reason, usage: null, cost: 0 };
        return;
      }
      yield { type: 'delta', channel: 'content', text };
      yield { type: 'finished', usage: { input: 10, output: 1 }, cost: costOf(worker.id), finishReason: 'stop' };
    },
  };
  const conductorFor = (info: ConductorInfo) => {
    const found = conductors(info) ?? templateConductor(info);
    if (!found) throw new FaultError(fault('worker-missing', 'There is no such Conductor.'));
    return found;
  };
  const runs = createRuns({
    store,
    locks,
    notices: world.notices.tab(),
    clock: world.clock,
    workers: () => client,
    conductorFor,
    current: () => Promise.resolve(currentSetup()),
    newId: () => 'unused',
    newSeed: () => 1,
    execute,
  });
  const player = createUnitPlayer({
    datasets: world.datasets,
    batches,
    store: { readMany: store.readMany, addRuns: never },
    graders,
    conductorFor,
    workersOn: () => () => client,
    settled: never,
  });
  const runner = createBatchRunner({
    datasets: world.datasets,
    batches,
    locks,
    store,
    clock: world.clock,
    runs,
    player,
    graders,
    conductorFor,
    policyRevision: async () => world.policyRevision,
    isPrivate: async () => isPrivate,
    isOwn,
  });
  return { runner, runs, crashed, close: () => locks.close() };
}
