/** @file A measurement for tests: simple tasks, scripted workers, and stores in memory. */
import type { PoolWorker, WorkerEvent } from '../../../../src/core/contract';
import type { MeasurementEvent, MeasurementPlan } from '../../../../src/core/contract/measurement/measurement';
import type { DatasetParts } from '../../../../src/core/measurement/session/dataset-tasks';
import type { MeasurerParts } from '../../../../src/core/measurement/session/live';
import { Measurer } from '../../../../src/core/measurement/session/measurer';
import type { MeasuringTasks } from '../../../../src/core/measurement/session/tasks';
import { FakeClock } from '../../../fixtures/fake-clock';
import { MemoryLocks } from '../../../fixtures/memory-locks';
import { MemorySpending } from '../../../fixtures/memory-spending';

export function measuredWorker(id: string, more: Partial<PoolWorker> = {}): PoolWorker {
  return {
    id,
    name: id,
    mark: id.slice(0, 2),
    colour: 1,
    kind: 'endpoint',
    model: id,
    origin: 'https://api.example.com',
    price: { input: 1, output: 10 },
    ...more,
  };
}

/** Each task asks for a number. The numbers of wrong answers are negative. */
export const TASKS: MeasuringTasks = {
  revision: 1,
  families: [
    { id: 'sums', domain: 'maths', levels: 6 },
    { id: 'loops', domain: 'code', levels: 6 },
  ],
  make: ({ family, level, seed }) => ({
    question: `${family} ${level} ${seed}`,
    right: `Answer: ${seed}`,
    wrong: () => 'Answer: -1',
    check: (text) => ({ right: text === `Answer: ${seed}`, readable: text.startsWith('Answer: ') }),
  }),
};

export function planOf(workers: readonly PoolWorker[], more: Partial<MeasurementPlan> = {}): MeasurementPlan {
  const measured = workers.map((worker) => ({ worker, tasks: 6, checks: 2 }));
  return { workers: measured, seed: 5, usd: 10, revision: 1, ...more };
}

type StoreOfMeasurer = MeasurerParts['store'];

export class MemoryMeasurements implements StoreOfMeasurer {
  readonly events: MeasurementEvent[] = [];
  read: StoreOfMeasurer['read'] = async (id) => this.events.filter((event) => event.id === id);
  append: StoreOfMeasurer['append'] = async (event) => {
    await Promise.resolve();
    this.events.push(event);
  };
}

export const text = (
  content: string,
  more: Partial<Extract<WorkerEvent, { type: 'finished' }>> = {},
): WorkerEvent[] => [
  { type: 'delta', channel: 'content', text: content },
  { type: 'finished', usage: { input: 20, output: 100 }, cost: null, finishReason: 'stop', ...more },
];

/** The right answer to a task or to a planted answer. */
export function rightReply(prompt: string): string {
  const planted = /Answer: (-?\d+)/.exec(prompt)?.[1];
  if (planted !== undefined) return `Verdict on response 1: ${planted === '-1' ? 'wrong' : 'right'}`;
  return `Answer: ${/\d+$/.exec(prompt)?.[0] ?? ''}`;
}

export type Reply = (call: { worker: string; prompt: string; count: number }) => WorkerEvent[] | Promise<WorkerEvent[]>;

/** A browser with a store and a ledger. `tab` opens a tab that calls these workers. */
export function measuringBrowser(reply: Reply, cap: number | null = null) {
  const clock = new FakeClock('auto');
  const store = new MemoryMeasurements();
  const spending = new MemorySpending(clock, cap);
  const locks = new MemoryLocks();
  const calls: { worker: string; prompt: string; maxTokens: number }[] = [];
  let isPrivate = false;
  let ids = 0;
  const tab = (tasks: MeasuringTasks = TASKS, datasets?: DatasetParts) => {
    const own = locks.tab();
    const measurer = new Measurer({
      store,
      tasks,
      ...(datasets ? { datasets: async () => datasets } : {}),
      spending,
      locks: own,
      clock,
      newId: () => `m${++ids}`,
      isPrivate: async () => isPrivate,
      report: (thrown) => {
        throw thrown;
      },
      workers: (worker) => ({
        async *run(messages, { maxTokens }, signal) {
          const prompt = messages.at(-1)?.content ?? '';
          calls.push({ worker: worker.id, prompt, maxTokens });
          const count = calls.filter((each) => each.worker === worker.id).length;
          const events = await reply({ worker: worker.id, prompt, count });
          signal.throwIfAborted();
          yield* events;
        },
      }),
    });
    return { measurer, close: () => own.close() };
  };
  return { tab, store, spending, calls, clock, setPrivate: () => (isPrivate = true) };
}
