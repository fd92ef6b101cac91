/**
 * @file Ranks workers by role: by graded runs if there are any, with similar questions first, else by declared strength, else by
 * order in the pool.
 */
import { weighRuns, workerFeatures, type WorkerFeatures } from '../analysis/worker-features';
import type { PlanRequest, PoolWorker, Role, StepChoice } from '../contract';
import { workersOf } from './limits';

/** A declared strength weighs as much as this many graded calls. */
const PRIOR_CALLS = 4;
/** The record over all questions weighs as much as this many graded runs on this very question. */
const OVERALL_CALLS = 2;
/** The strength of workers that declare none. */
const UNKNOWN_STRENGTH = 0.5;

/** The record of each worker of the pool in the request's graded runs, by the worker's index. Empty without graded runs. */
export function knownOf(request: PlanRequest): readonly WorkerFeatures[] {
  const { history = [], pool, question, embeddings } = request;
  return history.length === 0 ? [] : workerFeatures(history, pool, question, { embeddings });
}

/**
 * The workers that accept a subtask, best first, as indexes into the pool. Equal ones keep the order of the pool.
 * @param known from `knownOf`. Empty to use declared strength only
 */
export function rankWorkers(request: PlanRequest, role: Role, known: readonly WorkerFeatures[]): number[] {
  const scores = new Map(
    workersOf(request).map((index) => {
      const worker = request.pool[index];
      return [index, worker ? expectedSuccess(worker, role, known[index]) : 0];
    }),
  );
  return [...scores.keys()].toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

/**
 * The expected rate of success, 0 to 1. Two Beta distributions, each the prior of the next: the declared strength, then the graded
 * runs in that role over all questions, then those near this question. Without runs in that role, those in any role count.
 */
export function expectedSuccess(worker: PoolWorker, role: Role, known: WorkerFeatures | undefined): number {
  const strength = declaredStrength(worker, role);
  if (!known) return strength;
  const { overall, near } = known.roles[role].overall.count > 0 ? known.roles[role] : known;
  const prior = (overall.rate * overall.count + PRIOR_CALLS * strength) / (overall.count + PRIOR_CALLS);
  return (near.rate * near.count + OVERALL_CALLS * prior) / (near.count + OVERALL_CALLS);
}

/** The strength declared for the role, else the mean of those declared for others. */
function declaredStrength(worker: PoolWorker, role: Role): number {
  const declared = Object.values(worker.strengths ?? {});
  const mean = declared.reduce((sum, strength) => sum + strength, 0) / declared.length;
  return worker.strengths?.[role] ?? (declared.length > 0 ? mean : UNKNOWN_STRENGTH);
}

/** The criterion of a ranking, for a sentence. */
export function rankedBy(request: PlanRequest, known: readonly WorkerFeatures[]): 'history' | 'strength' | 'order' {
  const workers = workersOf(request);
  if (workers.some((index) => (known[index]?.overall.count ?? 0) > 0)) return 'history';
  const declares = (index: number) => Object.keys(request.pool[index]?.strengths ?? {}).length > 0;
  return workers.some(declares) ? 'strength' : 'order';
}

/** Highest number of graded runs that are listed. */
const MOST_NAMED = 3;

/** Why a worker was chosen for a role, with the graded runs that counted most. */
export function choiceOf(
  request: PlanRequest,
  index: number,
  role: Role,
  known: readonly WorkerFeatures[],
): StepChoice {
  const worker = request.pool[index];
  const features = known[index];
  const expected = worker ? expectedSuccess(worker, role, features) : UNKNOWN_STRENGTH;
  if (!worker || !features || features.overall.count === 0) {
    const declares = Object.keys(worker?.strengths ?? {}).length > 0;
    return { basis: declares ? 'strength' : 'order', expected, graded: 0, right: 0, inRole: false, runs: [] };
  }
  const inRole = features.roles[role].overall.count > 0;
  const { rate, count } = inRole ? features.roles[role].overall : features.overall;
  const counts = (played: { readonly workerId: string; readonly role: Role }) =>
    played.workerId === worker.id && (!inRole || played.role === role);
  const own = (request.history ?? []).filter((run) => run.played.some(counts));
  const runs = weighRuns(own, request.question, { embeddings: request.embeddings })
    .toSorted((one, other) => other.weight - one.weight || other.run.startedAt - one.run.startedAt)
    .slice(0, MOST_NAMED)
    .map(({ run: { runId, startedAt, right }, weight }) => ({ runId, startedAt, right, weight }));
  const nearBy = request.embeddings ? { nearBy: request.embeddings.by } : {};
  return { basis: 'history', expected, graded: count, right: Math.round(rate * count), inRole, runs, ...nearBy };
}
