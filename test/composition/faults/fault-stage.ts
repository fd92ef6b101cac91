/**
 * @file Two-step runs with the parts that the page uses (the run keeper, the executor, a model as the Conductor, and the HTTP
 * clients), against a real server. The storage is in memory, and time is simulated.
 */
import { createLlmConductor } from '../../../src/core/conductor/llm';
import { endpointEngine } from '../../../src/core/conductor/endpoint';
import { endpointConductorInfo } from '../../../src/core/conductor/endpoint-info';
import { foldEvents, originOf, toPoolWorker, type Run, type WorkerSetup } from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import { createRuns } from '../../../src/core/runs/run-keeper';
import type { NewRun } from '../../../src/core/runs/new-run';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { createGate } from '../../../src/platform/workers/limits/gate';
import { createOpenAiWorkers } from '../../../src/platform/workers/openai-client';
import { currentSetup, newRun } from '../../core/runs/scripted';
import { FakeClock, idle } from '../../fixtures/fake-clock';
import { POOL, QUESTION, stepsOf, type StageWorker } from '../../fixtures/faults/fault-rows';
import { MemoryLocks, MemoryNotices } from '../../fixtures/memory-locks';
import { MemoryStore } from '../../fixtures/memory-store';
import type { OpenAiServer } from '../../fixtures/openai-server';
import { planText, type PlannedStep } from '../../fixtures/plans';

const MODELS = ['planner', 'ok@steady', 'desk'] as const;
type Model = (typeof MODELS)[number];

/** The parts of the test server that a page can use too. */
type StageServer = Pick<OpenAiServer, 'url' | 'urlOf' | 'release'>;

/** Number of calls for each model, including those that reach no server. */
export type Calls = Readonly<Record<Model, number>>;

export class FaultStage {
  readonly store = new MemoryStore();
  /** The time of calls: only tests advance it. The pauses of a run take no time. */
  readonly callClock = new FakeClock();
  /** Number of pieces of bodies that the clients have received. */
  received = 0;
  readonly #runClock = new FakeClock('auto');
  readonly #server: StageServer;
  readonly #locks = new MemoryLocks();
  readonly #notices = new MemoryNotices();
  readonly #setups: Map<string, WorkerSetup>;
  readonly #keys = createMemoryKeys();
  #models: string[] = [];
  #ids = 0;

  constructor(
    server: StageServer,
    second: StageWorker,
    planned: readonly (Omit<PlannedStep, 'worker'> & { readonly worker: StageWorker })[] = stepsOf(second),
  ) {
    const addresses: Readonly<Record<StageWorker | 'Planner', readonly [address: string, model: Model]>> = {
      Steady: [server.url, 'ok@steady'],
      Desk: [server.url, 'desk'],
      Nowhere: ['http://nowhere.invalid/v1', 'desk'],
      // Nothing listens on port 9, which is reserved for a service that discards everything.
      Closed: ['http://127.0.0.1:9/v1', 'desk'],
      Preflight: [server.urlOf('refused-preflight'), 'desk'],
      Hidden: [server.urlOf('hidden'), 'desk'],
      Planner: [server.url, 'planner'],
    };
    const setupOf = (name: StageWorker | 'Planner', index: number): WorkerSetup => {
      const [baseUrl, model] = addresses[name];
      const look = { mark: name.slice(0, 2), colour: index + 1, price: null, description: '' };
      return { id: name, name, baseUrl, model, needsKey: false, ...look };
    };
    this.#server = server;
    this.#setups = new Map([...POOL, 'Planner' as const].map((name, index) => [name, setupOf(name, index)]));
    const steps = planned.map((step) => ({ ...step, worker: POOL.indexOf(step.worker) }));
    this.planned = planText(steps);
  }

  /** The text of the plan. The test must make the server send it. */
  readonly planned: string;

  get calls(): Calls {
    const count = (model: Model) => this.#models.filter((each) => each === model).length;
    return { planner: count('planner'), 'ok@steady': count('ok@steady'), desk: count('desk') };
  }

  /** Counts calls from now on. */
  recount(): void {
    this.#models = [];
  }

  enterKey(worker: StageWorker, key: string): void {
    const setup = this.#setups.get(worker);
    if (!setup) throw new Error(`There is no worker ${worker}.`);
    this.#setups.set(worker, { ...setup, needsKey: true });
    this.#keys.set(worker, originOf(setup.baseUrl), key);
  }

  /** Sets the system’s clock ahead, or back if `ms` is negative. */
  jump(ms: number): void {
    this.callClock.jump(ms);
    this.#runClock.jump(ms);
  }

  /** Opens a tab. `close` releases its locks and cuts it off from all servers, as happens when a page crashes. */
  tab() {
    let isClosed = false;
    const locks = this.#locks.tab();
    const client = createOpenAiWorkers({
      setup: (id) => this.#setups.get(id),
      keys: this.#keys,
      clock: this.callClock,
      gate: createGate(this.#runClock),
      fetch: async (url, init) => {
        if (isClosed) throw new TypeError('The tab is closed.');
        const model = /"model":"([^"]+)"/.exec(String(init.body))?.[1];
        if (model !== undefined) this.#models.push(model);
        return this.#counted(await fetch(url, init));
      },
    });
    const conductor = () => {
      const worker = toPoolWorker(this.#setup('Planner'));
      const engine = endpointEngine(worker, client);
      return createLlmConductor({ info: endpointConductorInfo(worker), engine, clock: this.callClock });
    };
    const pool = () => POOL.map((name) => toPoolWorker(this.#setup(name)));
    const runs = createRuns({
      store: this.store,
      locks,
      notices: this.#notices.tab(),
      clock: this.#runClock,
      workers: () => client,
      conductorFor: conductor,
      current: () => Promise.resolve(currentSetup({ workers: pool() })),
      newId: () => `run-${++this.#ids}`,
      newSeed: () => 7,
      execute,
      confirm: () => Promise.resolve(true),
    });
    const start = (more: Partial<NewRun> = {}) =>
      runs.start(newRun({ question: QUESTION, pool: pool(), conductor: conductor(), access: 'fine', ...more }));
    const close = () => {
      isClosed = true;
      locks.close();
    };
    return { runs, start, close };
  }

  /** The run as stored. */
  async stored(runId: string): Promise<Run> {
    const run = foldEvents(await this.store.read(runId));
    if (!run) throw new Error('Nothing is stored.');
    return run;
  }

  /** Lets the server send one more piece, and waits until a client has received it. */
  async releasePiece(): Promise<void> {
    const before = this.received;
    this.#server.release();
    while (this.received === before) await idle();
    await idle();
  }

  #setup(name: StageWorker | 'Planner'): WorkerSetup {
    const setup = this.#setups.get(name);
    if (!setup) throw new Error(`There is no worker ${name}.`);
    return setup;
  }

  #counted(response: Response): Response {
    if (!response.body) return response;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (piece, controller) => {
        this.received += 1;
        controller.enqueue(piece);
      },
    });
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, headers });
  }
}
