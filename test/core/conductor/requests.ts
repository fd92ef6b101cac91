/** @file Pools and requests for the tests of Conductors. */
import * as z from 'zod/mini';
import {
  publishedRecord,
  type Conductor,
  type PlanEvent,
  type PlanRequest,
  type PoolWorker,
  type Workflow,
} from '../../../src/core/contract';
import { knownModelSchema } from '../../../src/core/contract/model/known-model-schema';

const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Ivy'];

export function worker(index: number, more: Partial<PoolWorker> = {}): PoolWorker {
  const name = NAMES[index] ?? `Worker ${index}`;
  const { id, mark } = { id: name.toLowerCase(), mark: name.slice(0, 2) };
  return { id, name, mark, colour: index + 1, kind: 'simulated', model: id, origin: null, price: null, ...more };
}

export function pool(size: number): PoolWorker[] {
  return Array.from({ length: size }, (_, index) => worker(index));
}

const KNOWN = z
  .array(knownModelSchema)
  .parse(Object.values(import.meta.glob('../../../models/known/*.json', { eager: true, import: 'default' })));

/** A worker on a server, with the published benchmark results of its model from `models/known/`. */
export function published(index: number, model: string, more: Partial<PoolWorker> = {}): PoolWorker {
  const record = publishedRecord(KNOWN, { model });
  if (!record) throw new Error(`There are no published results of ${model}.`);
  return worker(index, { kind: 'endpoint', origin: 'https://api.example', model, published: record, ...more });
}

export const CONDUCTOR_ENTRY: PoolWorker = worker(0, { id: 'conductor', name: 'Conductor', kind: 'conductor' });

export function request(more: Partial<PlanRequest> = {}): PlanRequest {
  return {
    question: 'What is 2 + 2?',
    pool: pool(3),
    maxSteps: 5,
    effort: 'thorough',
    access: 'fine',
    recursion: false,
    round: 0,
    earlier: [],
    seed: 7,
    candidates: 1,
    choice: 'vote',
    planRetries: 1,
    ...more,
  };
}

export async function proposed(
  conductor: Conductor,
  requested: PlanRequest,
  signal = new AbortController().signal,
): Promise<PlanEvent[]> {
  const events: PlanEvent[] = [];
  for await (const event of conductor.propose(requested, signal)) events.push(event);
  return events;
}

/** Returns the last event. Throws if the event has another type. */
export function ending<T extends 'plan-finished' | 'plan-failed'>(
  events: readonly PlanEvent[],
  type: T,
): Extract<PlanEvent, { type: T }> {
  const last = events.at(-1);
  if (last?.type !== type) throw new Error(`Expected ${type}, got ${JSON.stringify(last)}`);
  return last as Extract<PlanEvent, { type: T }>;
}

export async function workflowOf(conductor: Conductor, requested: PlanRequest): Promise<Workflow> {
  return ending(await proposed(conductor, requested), 'plan-finished').workflow;
}
