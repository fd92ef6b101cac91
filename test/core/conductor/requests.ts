/**
 * @file Pools and requests for the tests of Conductors.
 */
import type { Conductor, PlanEvent, PlanRequest, PoolWorker, Workflow } from '../../../src/core/contract';

const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Ivy'];

export function worker(index: number, more: Partial<PoolWorker> = {}): PoolWorker {
  const name = NAMES[index] ?? `Worker ${index}`;
  const { id, mark } = { id: name.toLowerCase(), mark: name.slice(0, 2) };
  return { id, name, mark, colour: index + 1, kind: 'simulated', model: id, origin: null, price: null, ...more };
}

export function pool(size: number): PoolWorker[] {
  return Array.from({ length: size }, (_, index) => worker(index));
}

export const CONDUCTOR_ENTRY: PoolWorker = worker(0, { id: 'conductor', name: 'Conductor', kind: 'conductor' });

export function request(more: Partial<PlanRequest> = {}): PlanRequest {
  return {
    question: 'What is 2 + 2?',
    pool: pool(3),
    maxSteps: 5,
    access: 'fine',
    recursion: false,
    round: 0,
    earlier: [],
    seed: 7,
    candidates: 1,
    choice: 'vote',
    ...more,
  };
}

export async function proposed(
  conductor: Conductor,
  asked: PlanRequest,
  signal = new AbortController().signal,
): Promise<PlanEvent[]> {
  const events: PlanEvent[] = [];
  for await (const event of conductor.propose(asked, signal)) events.push(event);
  return events;
}

/** The event a plan ended with; fails if there is none. */
export function ending<T extends 'plan-finished' | 'plan-failed'>(
  events: readonly PlanEvent[],
  type: T,
): Extract<PlanEvent, { type: T }> {
  const last = events.at(-1);
  if (last?.type !== type) throw new Error(`Expected ${type}, got ${JSON.stringify(last)}`);
  return last as Extract<PlanEvent, { type: T }>;
}

export async function workflowOf(conductor: Conductor, asked: PlanRequest): Promise<Workflow> {
  return ending(await proposed(conductor, asked), 'plan-finished').workflow;
}
