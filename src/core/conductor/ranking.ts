/**
 * @file Ranks workers by their expected success, which is computed from graded runs, declared strengths and published
 * results. Graded runs of similar questions count most. The formula is in `core/analysis/worker-record.ts`.
 */
import { weighRuns } from '../analysis/worker-features';
import { UNKNOWN_STRENGTH, workerRecords, type WorkerRecord } from '../analysis/worker-record';
import type { PlanRequest, Role, StepChoice } from '../contract';
import { workersOf } from './limits';

/** The record of each worker of the request's pool, by the worker's index. Computed once for each request. */
export function knownOf(request: PlanRequest): readonly WorkerRecord[] {
  const { history = [], pool, question, embeddings } = request;
  let known = knownByRequest.get(request);
  if (!known) knownByRequest.set(request, (known = workerRecords(pool, history, question, { embeddings })));
  return known;
}

const knownByRequest = new WeakMap<PlanRequest, readonly WorkerRecord[]>();

/**
 * The workers that can receive a subtask, best first, as indexes into the pool. Equally good workers keep the order of the
 * pool.
 */
export function rankWorkers(request: PlanRequest, role: Role): number[] {
  const known = knownOf(request);
  const scores = new Map(workersOf(request).map((index) => [index, expectedSuccess(known[index], role)]));
  return [...scores.keys()].toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

/** The expected success rate of a worker in a role, from 0 to 1. `UNKNOWN_STRENGTH` if there is no record. */
export function expectedSuccess(record: WorkerRecord | undefined, role: Role): number {
  return record?.expect(role).near ?? UNKNOWN_STRENGTH;
}

/** What a ranking is based on. With `published`, declared strengths may count too. `order`: the order of the pool. */
export type RankedBy = 'history' | 'published' | 'strength' | 'order';

export function rankedBy(request: PlanRequest): RankedBy {
  const known = knownOf(request);
  const records = workersOf(request).flatMap((index) => known[index] ?? []);
  if (records.some(({ measured }) => measured.overall.count > 0)) return 'history';
  if (records.some(({ published }) => published !== null)) return 'published';
  return records.some(({ hasPrior }) => hasPrior) ? 'strength' : 'order';
}

/** What is known about a chosen worker. `order`: nothing about any worker. `unknown`: only something about other workers. */
export function basisOf(request: PlanRequest, { basis, prior }: StepChoice): RankedBy | 'unknown' {
  if (basis === 'order' && rankedBy(request) !== 'order') return 'unknown';
  return basis === 'strength' && prior?.by === 'published' ? 'published' : basis;
}

/** Maximum number of graded runs that are listed for a choice. */
const MOST_NAMED = 3;

/** Why a worker was chosen for a role, with the graded runs that counted most. */
export function choiceOf(request: PlanRequest, index: number, role: Role): StepChoice {
  const record = knownOf(request)[index];
  const expected = expectedSuccess(record, role);
  if (!record || record.measured.overall.count === 0) {
    const basis = record?.hasPrior ? 'strength' : 'order';
    return { basis, expected, graded: 0, right: 0, inRole: false, runs: [], ...priorOf(record) };
  }
  const { worker, measured } = record;
  const inRole = measured.roles[role].overall.count > 0;
  const { rate, count } = inRole ? measured.roles[role].overall : measured.overall;
  const counts = (played: { readonly workerId: string; readonly role: Role }) =>
    played.workerId === worker.id && (!inRole || played.role === role);
  const own = (request.history ?? []).filter((run) => run.played.some(counts));
  const runs = weighRuns(own, request.question, { embeddings: request.embeddings })
    .toSorted((one, other) => other.weight - one.weight || other.run.startedAt - one.run.startedAt)
    .slice(0, MOST_NAMED)
    .map(({ run: { runId, startedAt, right }, weight }) => ({ runId, startedAt, right, weight }));
  const nearBy = request.embeddings ? { nearBy: request.embeddings.by } : {};
  const counted = { graded: count, right: Math.round(rate * count), inRole, runs };
  return { basis: 'history', expected, ...counted, ...nearBy, ...priorOf(record) };
}

function priorOf(record: WorkerRecord | undefined): Pick<StepChoice, 'prior'> {
  const prior = record?.domainPrior;
  if (!record || !prior) return {};
  const { domain, published } = record;
  const from = prior.by === 'published' && published ? { label: published.label, source: published.source } : {};
  return { prior: { ...prior, domain, ...from } };
}
