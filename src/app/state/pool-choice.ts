/**
 * @file Rules for the pool, which is the list of chosen workers. A real worker calls a model on a server or on this machine. A
 * practice pool has simulated workers, but no real workers. When the user adds the first real worker, a real pool replaces the
 * practice pool. `otherPool` keeps the replaced pool, so that the Practice switch can restore it. Python is a tool, and fits
 * any pool.
 */
import { isReal, poolKind, type PoolWorker, type Preferences } from '../../core/contract';

export type PoolChoice = Pick<Preferences, 'pool' | 'otherPool'>;

export interface KnownWorkers {
  readonly all: readonly PoolWorker[];
  /** Workers that the user can choose now. If the Private setting is on, only workers that run in the page. */
  readonly offered: readonly PoolWorker[];
}

type Ids = readonly string[];

const idsOf = (workers: readonly PoolWorker[]) => workers.map(({ id }) => id);
export const among = (workers: readonly PoolWorker[], ids: Ids) => workers.filter(({ id }) => ids.includes(id));
export const simulatedIn = ({ all }: KnownWorkers) => idsOf(all.filter(({ kind }) => kind === 'simulated'));
const toolsIn = ({ all }: KnownWorkers, ids: Ids) => idsOf(among(all, ids).filter(({ kind }) => kind === 'python'));

/**
 * Whether any of the ids belongs to a real worker. An unknown id counts as real, because it may belong to a local
 * model that is not loaded.
 */
function namesReal({ all }: KnownWorkers, ids: Ids): boolean {
  return ids.some((id) => {
    const worker = all.find((each) => each.id === id);
    return !worker || isReal(worker);
  });
}

/**
 * The user's own workers, or else the loaded model. If the user turns off Practice, and the pool then has no
 * available real worker, these workers join the pool.
 */
function defaultReal({ offered }: KnownWorkers): Ids {
  const own = idsOf(offered.filter(({ kind }) => kind === 'endpoint'));
  return own.length > 0 ? own : idsOf(offered.filter(isReal));
}

/**
 * Returns `remembered` if it is a practice pool. Otherwise returns all simulated workers, and the tools of
 * the current pool.
 */
function practiceIds(workers: KnownWorkers, remembered: Ids | null, current: Ids): Ids {
  const isPractice = poolKind(among(workers.all, remembered ?? [])) === 'practice';
  if (remembered && isPractice && !namesReal(workers, remembered)) return remembered;
  return [...simulatedIn(workers), ...toolsIn(workers, current)];
}

/**
 * Whether the practice pool replaces the chosen pool for now: the chosen pool has a real worker, but none of its real or
 * simulated workers is available.
 */
function isAway({ pool }: PoolChoice, workers: KnownWorkers): boolean {
  if (pool === null || !namesReal(workers, pool)) return false;
  return poolKind(among(workers.offered, pool)) === 'empty';
}

/** Ids of the workers in the pool in use. Some of the workers may be unavailable. */
export function chosenIds(choice: PoolChoice, workers: KnownWorkers): Ids {
  const { pool, otherPool } = choice;
  if (pool === null) {
    const own = idsOf(workers.offered.filter(({ kind }) => kind === 'endpoint'));
    return own.length > 0 ? own : simulatedIn(workers);
  }
  return isAway(choice, workers) ? practiceIds(workers, otherPool, pool) : pool;
}

/**
 * Returns the choice with `pool` set to the pool in use. While the chosen pool is unavailable (`isAway`), the
 * practice pool is in use, and the chosen pool becomes `otherPool`.
 */
export function explicit(
  choice: PoolChoice,
  workers: KnownWorkers,
): { readonly pool: Ids; readonly otherPool: Ids | null } {
  const pool = chosenIds(choice, workers);
  return { pool, otherPool: isAway(choice, workers) ? choice.pool : choice.otherPool };
}

/** Returns `remembered` if it has a real worker. Otherwise returns only the tools of the current pool. */
function realIds(workers: KnownWorkers, remembered: Ids | null, current: Ids): Ids {
  return remembered && namesReal(workers, remembered) ? remembered : toolsIn(workers, current);
}

/** The choice after a worker is added to the pool or removed from it. The first real worker replaces the practice pool. */
export function withWorker(choice: PoolChoice, workers: KnownWorkers, id: string, chosen: boolean): PoolChoice {
  const { pool, otherPool } = explicit(choice, workers);
  const others = pool.filter((each) => each !== id);
  if (!chosen) return { pool: others, otherPool };
  const worker = workers.all.find((each) => each.id === id);
  const isFirstReal = worker !== undefined && isReal(worker) && poolKind(among(workers.all, others)) === 'practice';
  if (!isFirstReal) return { pool: [...others, id], otherPool };
  const kept = realIds(workers, otherPool, others);
  return { pool: [...kept.filter((each) => each !== id), id], otherPool: others };
}

/** The choice after the user has created or confirmed real workers. They replace a practice pool, or are added to a real pool. */
export function withJoined(choice: PoolChoice, workers: KnownWorkers, ids: Ids): PoolChoice {
  // Until the user chooses a pool, the pool contains all of the user's own workers, including the new ones.
  if (choice.pool === null) return choice;
  const { pool, otherPool } = explicit(choice, workers);
  const joining = (to: Ids) => [...to.filter((each) => !ids.includes(each)), ...ids];
  if (poolKind(among(workers.all, pool)) !== 'practice') return { pool: joining(pool), otherPool };
  const real = realIds(workers, otherPool, pool);
  return { pool: joining(real), otherPool: pool.filter((each) => !ids.includes(each)) };
}

/** The choice after the user has deleted a worker. If no real worker is left, the pool becomes the practice pool. */
export function withoutRemoved(choice: PoolChoice, workers: KnownWorkers, id: string): PoolChoice {
  const without = (ids: Ids | null) => ids && ids.filter((each) => each !== id);
  const left: PoolChoice = { pool: without(choice.pool), otherPool: without(choice.otherPool) };
  const known = { all: workers.all.filter((each) => each.id !== id), offered: workers.offered };
  const isLast = choice.pool?.includes(id) === true && !known.all.some(({ kind }) => kind === 'endpoint');
  if (!isLast || left.pool === null || namesReal(known, left.pool)) return left;
  if (poolKind(among(known.all, left.pool)) !== 'empty') return left;
  return { pool: practiceIds(known, left.otherPool, left.pool), otherPool: null };
}

/** The choice after the user has turned the Practice switch on or off. */
export function withPractice(choice: PoolChoice, workers: KnownWorkers, isPractice: boolean): PoolChoice {
  const { pool, otherPool } = explicit(choice, workers);
  if ((poolKind(among(workers.offered, pool)) === 'practice') === isPractice) return choice;
  if (isPractice) return { pool: practiceIds(workers, otherPool, pool), otherPool: pool };
  const real = realIds(workers, otherPool, pool);
  const isAvailable = among(workers.offered, real).some(isReal);
  const added = isAvailable ? [] : defaultReal(workers).filter((each) => !real.includes(each));
  return { pool: [...real, ...added], otherPool: pool };
}
