/**
 * @file Rules for the pool, which is the list of chosen workers. A real worker is a server's model or a local model. A practice
 * pool has simulated workers and no real worker. When the user adds the first real worker, a real pool replaces the practice pool.
 * The replaced pool is stored as `otherPool`, so that the Practice switch can restore it. Python is a tool and fits any pool.
 */
import { isReal, poolKind, type PoolWorker, type Preferences } from '../../core/contract';

export type PoolChoice = Pick<Preferences, 'pool' | 'otherPool'>;

export interface KnownWorkers {
  readonly all: readonly PoolWorker[];
  /** Workers that can be chosen now. With *Private* on, only models in the page, simulated workers and Python. */
  readonly offered: readonly PoolWorker[];
}

type Ids = readonly string[];

const idsOf = (workers: readonly PoolWorker[]) => workers.map(({ id }) => id);
const among = (workers: readonly PoolWorker[], ids: Ids) => workers.filter(({ id }) => ids.includes(id));
const simulatedIn = ({ all }: KnownWorkers) => idsOf(all.filter(({ kind }) => kind === 'simulated'));
const toolsIn = ({ all }: KnownWorkers, ids: Ids) => idsOf(among(all, ids).filter(({ kind }) => kind === 'python'));

/** Whether the ids name a real worker. An id that is not in `all` counts as real, such as a local model that is not loaded. */
function namesReal({ all }: KnownWorkers, ids: Ids): boolean {
  return ids.some((id) => {
    const worker = all.find((each) => each.id === id);
    return !worker || isReal(worker);
  });
}

/** The real workers in the pool by default: the user's own workers, else the loaded model. */
function defaultReal({ offered }: KnownWorkers): Ids {
  const own = idsOf(offered.filter(({ kind }) => kind === 'endpoint'));
  return own.length > 0 ? own : idsOf(offered.filter(isReal));
}

/** The practice pool: `remembered` if it is one, or else all simulated workers and the tools of the current pool. */
function practiceIds(workers: KnownWorkers, remembered: Ids | null, current: Ids): Ids {
  const isPractice = poolKind(among(workers.all, remembered ?? [])) === 'practice';
  if (remembered && isPractice && !namesReal(workers, remembered)) return remembered;
  return [...simulatedIn(workers), ...toolsIn(workers, current)];
}

/**
 * Whether the chosen pool has a real worker, but none of its real or simulated workers is available now. The practice pool is
 * then used instead.
 */
function isAway({ pool }: PoolChoice, workers: KnownWorkers): boolean {
  if (pool === null || !namesReal(workers, pool)) return false;
  return poolKind(among(workers.offered, pool)) === 'empty';
}

/** Ids of the workers in the pool. Some workers may not be available now. */
export function chosenIds(choice: PoolChoice, workers: KnownWorkers): Ids {
  const { pool, otherPool } = choice;
  if (pool === null) {
    const own = idsOf(workers.offered.filter(({ kind }) => kind === 'endpoint'));
    return own.length > 0 ? own : simulatedIn(workers);
  }
  return isAway(choice, workers) ? practiceIds(workers, otherPool, pool) : pool;
}

/**
 * The pool as explicit ids. If the practice pool is used because the real pool is not available, the practice pool becomes `pool`
 * and the real pool becomes `otherPool`.
 */
function explicit(choice: PoolChoice, workers: KnownWorkers): { readonly pool: Ids; readonly otherPool: Ids | null } {
  const pool = chosenIds(choice, workers);
  return { pool, otherPool: isAway(choice, workers) ? choice.pool : choice.otherPool };
}

/** The pool that replaces the practice pool: `remembered` if it is a real pool, or else the tools of the current pool. */
function realIds(workers: KnownWorkers, remembered: Ids | null, current: Ids): Ids {
  return remembered && namesReal(workers, remembered) ? remembered : toolsIn(workers, current);
}

/** The choice after a worker is added to the pool or removed from it. A real worker replaces the practice pool. */
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

/** The choice after new or confirmed real workers join. They replace a practice pool, or join a real pool. */
export function withJoined(choice: PoolChoice, workers: KnownWorkers, ids: Ids): PoolChoice {
  // Without a choice, every worker of the user is in the pool.
  if (choice.pool === null) return choice;
  const { pool, otherPool } = explicit(choice, workers);
  const joining = (to: Ids) => [...to.filter((each) => !ids.includes(each)), ...ids];
  if (poolKind(among(workers.all, pool)) !== 'practice') return { pool: joining(pool), otherPool };
  const real = realIds(workers, otherPool, pool);
  return { pool: joining(real), otherPool: pool.filter((each) => !ids.includes(each)) };
}

/** The choice after the user has removed a worker. If no real worker is left, the practice pool is used again. */
export function withoutRemoved(choice: PoolChoice, workers: KnownWorkers, id: string): PoolChoice {
  const without = (ids: Ids | null) => ids && ids.filter((each) => each !== id);
  const left: PoolChoice = { pool: without(choice.pool), otherPool: without(choice.otherPool) };
  const known = { all: workers.all.filter((each) => each.id !== id), offered: workers.offered };
  const isLast = choice.pool?.includes(id) === true && !known.all.some(({ kind }) => kind === 'endpoint');
  if (!isLast || left.pool === null || namesReal(known, left.pool)) return left;
  if (poolKind(among(known.all, left.pool)) !== 'empty') return left;
  return { pool: practiceIds(known, left.otherPool, left.pool), otherPool: null };
}

/** The choice after the Practice switch was set. */
export function withPractice(choice: PoolChoice, workers: KnownWorkers, isPractice: boolean): PoolChoice {
  const { pool, otherPool } = explicit(choice, workers);
  if ((poolKind(among(workers.offered, pool)) === 'practice') === isPractice) return choice;
  if (isPractice) return { pool: practiceIds(workers, otherPool, pool), otherPool: pool };
  const real = realIds(workers, otherPool, pool);
  const isAvailable = among(workers.offered, real).some(isReal);
  const added = isAvailable ? [] : defaultReal(workers).filter((each) => !real.includes(each));
  return { pool: [...real, ...added], otherPool: pool };
}

/** The choice without simulated workers. If the pool has no available real worker, switches Practice off instead. */
export function withRealOnly(choice: PoolChoice, workers: KnownWorkers): PoolChoice {
  const { pool, otherPool } = explicit(choice, workers);
  const simulated = simulatedIn(workers);
  const rest = pool.filter((each) => !simulated.includes(each));
  if (among(workers.offered, rest).some(isReal)) return { pool: rest, otherPool };
  return withPractice(choice, workers, false);
}
