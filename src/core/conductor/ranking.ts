/**
 * @file Who is best at what: by graded history where there is some, else by declared strength, else by order in the pool.
 */
import type { PlanRequest, PoolWorker, Role, WorkerHistory } from '../contract';
import { workersOf } from './limits';

/** A declared strength weighs as much as this many graded calls. */
const PRIOR_CALLS = 4;
/** For workers that declare nothing. */
const UNKNOWN_STRENGTH = 0.5;

/** The workers that can take a subtask, best first; equals keep the order of the pool. Indexes into the pool. */
export function rankWorkers(request: PlanRequest, role: Role, history: readonly WorkerHistory[]): number[] {
  const scores = new Map(
    workersOf(request).map((index) => {
      const worker = request.pool[index];
      return [index, worker ? expectedSuccess(worker, role, history) : 0];
    }),
  );
  return [...scores.keys()].toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

/**
 * The expected rate of success, 0 to 1: the mean of a Beta distribution whose prior is the declared strength and whose
 * counts are the graded calls in that role, or in any role where there are none in that one.
 */
export function expectedSuccess(worker: PoolWorker, role: Role, history: readonly WorkerHistory[]): number {
  const own = history.filter((each) => each.workerId === worker.id && each.graded > 0);
  const inRole = own.filter((each) => each.role === role);
  const counted = inRole.length > 0 ? inRole : own.filter((each) => each.role === 'any');
  const graded = counted.reduce((sum, each) => sum + each.graded, 0);
  const right = counted.reduce((sum, each) => sum + each.right, 0);
  return (right + PRIOR_CALLS * declaredStrength(worker, role)) / (graded + PRIOR_CALLS);
}

/** The strength declared for the role, else the mean of those declared for others. */
function declaredStrength(worker: PoolWorker, role: Role): number {
  const declared = Object.values(worker.strengths ?? {});
  const mean = declared.reduce((sum, strength) => sum + strength, 0) / declared.length;
  return worker.strengths?.[role] ?? (declared.length > 0 ? mean : UNKNOWN_STRENGTH);
}

/** What a ranking went by, to be put into a sentence. */
export function rankedBy(request: PlanRequest, history: readonly WorkerHistory[]): 'history' | 'strength' | 'order' {
  const workers = workersOf(request).flatMap((index) => request.pool[index] ?? []);
  const ids = new Set(workers.map((worker) => worker.id));
  if (history.some((each) => each.graded > 0 && ids.has(each.workerId))) return 'history';
  return workers.some((worker) => Object.keys(worker.strengths ?? {}).length > 0) ? 'strength' : 'order';
}
