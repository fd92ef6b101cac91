/**
 * @file The contract of a fixed topology. Adding one is one file that calls `template`, and a line in `index.ts`.
 *
 * A template plans from the pool alone: it never reads the question, and never uses the Conductor itself. It must return a valid
 * workflow for any pool with a worker and any step limit of at least 1, with its essential steps if the limit is too low for all.
 * Access belongs to the topology, so the request's access scheme, which applies to language models, does not change it.
 */
import type { Conductor, ConductorInfo, PlanRequest, Step } from '../../contract';
import { instantConductor, noWorkers } from '../instant';
import type { InstantPlan } from '../instant-plan';
import { workersOf } from '../limits';
import { rankedBy, rankWorkers } from '../ranking';
import { SUBTASK } from '../wording';

export interface Template {
  readonly info: ConductorInfo;
  /** One sentence for the user. */
  readonly description: string;
  /** It plans at once, without a call. */
  readonly instant: true;
  create(): Conductor;
}

/** Makes a template. `plan` is called only if the pool has a worker, in the first and in later rounds. */
export function template(
  name: string,
  label: string,
  description: string,
  plan: (request: PlanRequest) => InstantPlan,
): Template {
  const info: ConductorInfo = { id: `template:${name}`, label, kind: 'template', origin: null };
  const guarded = (request: PlanRequest) => (workersOf(request).length === 0 ? noWorkers() : plan(request));
  return { info, description, instant: true, create: () => instantConductor(info, guarded) };
}

/** The workers in the order of their declared strength. Templates are baselines, so they do not change with history. */
export function byStrength(request: PlanRequest, role: NonNullable<Step['role']>): number[] {
  return rankWorkers(request, role, []);
}

/** The worker at an index of a ranking, which repeats. */
export function inTurn(ranking: readonly number[], place: number): number {
  return ranking[place % ranking.length] ?? 0;
}

/** The name of a worker in the pool. */
export function nameOf(request: PlanRequest, worker: number): string {
  return request.pool[worker]?.name ?? 'the first worker';
}

/** Why a worker comes first in `byStrength`, as the beginning of a sentence. */
export function comesFirst(request: PlanRequest, worker: number): string {
  const why =
    rankedBy(request, []) === 'strength' ? 'by declared strength' : 'in the pool, as no worker declares a strength,';
  return `${nameOf(request, worker)} comes first ${why}`;
}

/** The smallest topology. */
export function oneStep(worker: number): Step {
  return { worker, subtask: SUBTASK.solve, access: [], role: 'solve' };
}

/** The indexes from `from` up to, but excluding, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
