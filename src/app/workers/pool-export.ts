/** @file Exports the pool to a file that Podium's command line reads. */
import type { WorkerServices } from '../services';
import type { PreferencesState } from '../state/preferences.svelte';
import { chooseTarget, type ChooseTarget } from '../state/save-file';
import type { WorkersState } from '../state/workers.svelte';

/**
 * Asks where to save, and writes the pool and the Conductor, without API keys. Leaves out imported workers that the user has
 * not confirmed yet. Rejects if writing fails.
 */
export async function exportPool(
  services: Pick<WorkerServices, 'poolFile'>,
  workers: Pick<WorkersState, 'pool' | 'setups'>,
  preferences: Pick<PreferencesState, 'current'>,
  choose: ChooseTarget = chooseTarget,
): Promise<void> {
  const { conductor } = preferences.current;
  const unconfirmed = new Set(workers.setups.filter((setup) => setup.unconfirmed).map(({ id }) => id));
  const pool = workers.pool.map(({ id }) => id).filter((id) => !unconfirmed.has(id));
  const isUsed = ({ id }: WorkersState['setups'][number]) =>
    !unconfirmed.has(id) && (pool.includes(id) || conductor?.endsWith(`endpoint:${id}`) === true);
  const text = await services.poolFile({
    pool,
    workers: workers.setups.filter(isUsed),
    conductor,
    preferences: preferences.current,
  });
  const target = await choose('podium-pool.json');
  await target?.write(new Blob([text]).stream(), new AbortController().signal);
}
