/** @file Replaces the pool as a whole: with other workers, or without the simulated ones. */
import { isReal, poolKind } from '../../core/contract';
import { among, explicit, simulatedIn, withPractice, type KnownWorkers, type PoolChoice } from './pool-choice';
import type { PreferencesState } from './preferences.svelte';
import type { WorkersState } from './workers.svelte';

type Workers = KnownWorkers & Pick<WorkersState, 'chosen' | 'kind'>;
type Preferences = Pick<PreferencesState, 'current' | 'change'>;

/** Replaces the pool. If a practice pool replaces another pool or the reverse, the Practice switch restores the replaced one. */
export function replacePool(workers: Workers, preferences: Preferences, ids: readonly string[]): void {
  const isPractice = poolKind(among(workers.all, ids)) === 'practice';
  const { otherPool } = preferences.current;
  const replaced = [...workers.chosen];
  preferences.change({ pool: ids, otherPool: isPractice === (workers.kind === 'practice') ? otherPool : replaced });
}

/** Removes simulated workers from the pool. If that would leave no available real worker, switches to the real pool instead. */
export function chooseRealOnly(workers: Workers, preferences: Preferences): void {
  const { pool, otherPool } = withRealOnly(preferences.current, workers);
  preferences.change({ pool, otherPool });
}

/** The choice without simulated workers. If the pool has no available real worker, turns off Practice instead. */
export function withRealOnly(choice: PoolChoice, workers: KnownWorkers): PoolChoice {
  const { pool, otherPool } = explicit(choice, workers);
  const simulated = simulatedIn(workers);
  const rest = pool.filter((each) => !simulated.includes(each));
  if (among(workers.offered, rest).some(isReal)) return { pool: rest, otherPool };
  return withPractice(choice, workers, false);
}
