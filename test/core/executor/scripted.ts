/**
 * @file Scripted Conductors, workers and users for tests of the executor, on a fake clock.
 */
import {
  abortError,
  applyEvent,
  foldEvents,
  type Conductor,
  type ConductorInfo,
  type Decision,
  type Fault,
  type Message,
  type UserDecisions,
  type PlanEvent,
  type PlanRequest,
  type PoolWorker,
  type Run,
  type RunEvent,
  type Step,
  type Usage,
  type WorkerDirectory,
  type WorkerEvent,
  type WorkerOptions,
  type Workflow,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import type { ExecuteDependencies, ExecuteRequest } from '../../../src/core/executor/request';
import { startOfRun } from '../../../src/core/runs/new-run';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemoryStore } from '../../fixtures/memory-store';
import { poolWorker, runStarted } from '../../fixtures/run-events';

export const CONDUCTOR: ConductorInfo = { id: 'scripted', label: 'Scripted', kind: 'by-hand' };
export const PRICE = { input: 1, output: 2 };
const USAGE: Usage = { input: 100, output: 50 };
export const NOTHING = { usage: null, cost: null };

export function paidWorker(index: number, more: Partial<PoolWorker> = {}): PoolWorker {
  const origin = 'https://api.example.com';
  return poolWorker(index, { id: `paid-${index}`, kind: 'endpoint', origin, price: PRICE, ...more });
}

export function conductorWorker(index: number): PoolWorker {
  return poolWorker(index, { id: 'conductor', name: 'Conductor', kind: 'conductor' });
}

export type PlanItem = PlanEvent | { readonly wait: number };

/** A Conductor that emits scripted events, with pauses in ms. */
class ScriptedConductor implements Conductor {
  readonly info = CONDUCTOR;
  readonly requests: PlanRequest[] = [];
  aborted = false;
  readonly #clock: FakeClock;
  readonly #script: (request: PlanRequest) => readonly PlanItem[];

  constructor(clock: FakeClock, script: (request: PlanRequest) => readonly PlanItem[]) {
    this.#clock = clock;
    this.#script = script;
  }

  async *propose(request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent> {
    this.requests.push(request);
    signal.addEventListener('abort', () => (this.aborted = true));
    for (const item of this.#script(request)) {
      if ('wait' in item) await this.#clock.sleep(item.wait, signal);
      else yield item;
    }
  }
}

export const started: PlanEvent = { type: 'plan-started', conductor: CONDUCTOR, messages: [] };
export const known = (index: number, step: Step): PlanEvent => ({ type: 'plan-step-known', index, step });
export const wait = (ms: number) => ({ wait: ms });

export function finished(steps: readonly Step[], more: { usage?: Usage; cost?: number } = {}): PlanEvent {
  const { usage = null, cost = null } = more;
  const workflow: Workflow = { steps };
  return {
    type: 'plan-finished',
    workflow,
    thought: '',
    text: '',
    source: 'conductor',
    usage,
    cost,
    finishReason: 'stop',
  };
}

export const retried: PlanEvent = {
  type: 'plan-retried',
  problem: null,
  fault: null,
  text: 'lost',
  ...NOTHING,
  next: 'stricter',
};

export interface Call {
  readonly messages: readonly Message[];
  readonly options: WorkerOptions;
  readonly startedAt: number;
  aborted: boolean;
}

export type WorkerItem = WorkerEvent | { readonly wait: number } | { readonly throw: Error };

/** Scripted workers with pauses in ms. Records all calls. */
class ScriptedWorkers {
  readonly calls: Call[] = [];
  readonly #clock: FakeClock;
  readonly #script: (call: Call) => readonly WorkerItem[];

  constructor(clock: FakeClock, script: (call: Call) => readonly WorkerItem[]) {
    this.#clock = clock;
    this.#script = script;
  }

  /** Number of calls to the worker at this index of the pool. */
  countOf(worker: number): number {
    return this.calls.filter(({ options }) => options.worker.colour === worker + 1).length;
  }

  readonly directory: WorkerDirectory = () => ({
    run: (messages, options, signal) => this.#run(messages, options, signal),
  });

  async *#run(messages: readonly Message[], options: WorkerOptions, signal: AbortSignal): AsyncIterable<WorkerEvent> {
    const call: Call = { messages, options, startedAt: this.#clock.monotonic(), aborted: false };
    this.calls.push(call);
    const aborted = () => (call.aborted = true);
    signal.addEventListener('abort', aborted);
    try {
      for (const item of this.#script(call)) {
        if ('wait' in item) await this.#clock.sleep(item.wait, signal);
        else if ('throw' in item) throw item.throw;
        else yield item;
      }
    } finally {
      signal.removeEventListener('abort', aborted);
    }
  }
}

export const delta = (text: string, channel: 'content' | 'reasoning' = 'content'): WorkerEvent => ({
  type: 'delta',
  channel,
  text,
});
export const done = (usage: Usage | null = USAGE, cost: number | null = null): WorkerEvent => ({
  type: 'finished',
  usage,
  cost,
  finishReason: 'stop',
});
export const fails = (fault: Fault): WorkerEvent => ({ type: 'failed', fault, ...NOTHING });

/** The subtask in a worker's prompt. */
export function subtaskOf({ messages }: Pick<Call, 'messages'>): string {
  return /<subtask>\n([\s\S]*)\n<\/subtask>$/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';
}

/**
 * A user who makes scripted decisions, each after `MOMENT`. After the last decision, `next` waits until its signal aborts,
 * and then rejects.
 */
class ScriptedDecisions implements UserDecisions {
  readonly #clock: FakeClock;
  readonly #script: Decision[];

  constructor(clock: FakeClock, script: readonly Decision[]) {
    this.#clock = clock;
    this.#script = [...script];
  }

  async next(signal: AbortSignal): Promise<Decision> {
    await this.#clock.sleep(MOMENT, signal);
    const decision = this.#script.shift();
    if (decision) return decision;
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(abortError())));
  }
}

/** Time that the user takes for each decision, ms. */
export const MOMENT = 1000;

export interface Scene {
  readonly clock?: FakeClock;
  readonly plan: readonly Step[] | ((request: PlanRequest) => readonly PlanItem[]);
  readonly work?: (call: Call) => readonly WorkerItem[];
  readonly start?: Partial<ExecuteRequest['start']>;
  /** Settings that the user changed before the run was resumed. */
  readonly continued?: Partial<ExecuteRequest['start']>;
  /** The user's decisions. Absent: no user is present. */
  readonly decisions?: readonly Decision[];
  readonly prior?: ExecuteRequest['prior'];
  readonly store?: MemoryStore;
  readonly signal?: AbortSignal;
  readonly runId?: string;
  readonly dependencies?: Partial<ExecuteDependencies>;
}

/** Sets up a run without starting it. */
export function stage(scene: Scene) {
  const clock = scene.clock ?? new FakeClock('auto');
  const { plan } = scene;
  const script = typeof plan === 'function' ? plan : () => [started, finished(plan)];
  const conductor = new ScriptedConductor(clock, script);
  const workers = new ScriptedWorkers(
    clock,
    scene.work ?? ((call) => [delta(`${subtaskOf(call)} done`), wait(10), done()]),
  );
  const store = scene.store ?? new MemoryStore();
  const { type: _type, schema: _schema, ...fresh } = runStarted({ conductor: CONDUCTOR, ...scene.start });
  // A resumed run keeps its settings, except those in `continued`.
  const start = scene.prior?.kind === 'resume' ? { ...startOfRun(scene.prior.run), ...scene.continued } : fresh;
  const request: ExecuteRequest = {
    runId: scene.runId ?? 'run-1',
    start,
    ...(scene.prior ? { prior: scene.prior } : {}),
  };
  const dependencies: ExecuteDependencies = {
    conductor,
    workers: workers.directory,
    journal: store,
    clock,
    digest: (text) => `digest of ${text.length}`,
    ...(scene.decisions ? { decisions: new ScriptedDecisions(clock, scene.decisions) } : {}),
    ...scene.dependencies,
  };
  const controller = new AbortController();
  const signal = scene.signal ?? controller.signal;
  return { clock, conductor, workers, store, controller, events: execute(request, dependencies, signal) };
}

/** Executes a run to its end. */
export async function play(scene: Scene) {
  const staged = stage(scene);
  const events = await collect(staged.events);
  return { ...staged, events, run: fold(events, scene.prior?.kind === 'resume' ? scene.prior.run : null) };
}

export async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export function fold(events: readonly RunEvent[], before: Run | null = null): Run {
  const run = before ? foldOnto(before, events) : foldEvents(events);
  if (!run) throw new Error('There is no run in these events.');
  return run;
}

function foldOnto(before: Run, events: readonly RunEvent[]): Run {
  return events.reduce<Run>((run, event) => applyEvent(run, event), before);
}

export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export function ofType<T extends RunEvent['type']>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/**
 * One line for each event: its type and, for a step, `round.step.attempt`. For example,
 * `step-started 0.1.0`.
 */
export function outline(events: readonly RunEvent[]): string[] {
  return events.map((event) =>
    'attempt' in event ? `${event.type} ${event.round}.${event.step}.${event.attempt}` : event.type,
  );
}
