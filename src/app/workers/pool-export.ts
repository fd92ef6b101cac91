/** @file Exports a pool to a file that the page of another browser and Podium's command line read. */
import type { SavedPool } from '../../core/contract';
import type { WorkerServices } from '../services';
import type { PreferencesState } from '../state/preferences.svelte';
import { chooseTarget, type ChooseTarget } from '../state/save-file';
import type { WorkersState } from '../state/workers.svelte';

/**
 * Asks where to save, and writes a pool and the Conductor, without API keys. Leaves out imported workers that the user has
 * not confirmed yet. Rejects if writing fails.
 * @param saved the saved pool to export. Default: the pool in use
 */
export async function exportPool(
  services: Pick<WorkerServices, 'poolFile'>,
  workers: Pick<WorkersState, 'pool' | 'setups'>,
  preferences: Pick<PreferencesState, 'current'>,
  saved: SavedPool | null = null,
  choose: ChooseTarget = chooseTarget,
): Promise<void> {
  const { conductor } = preferences.current;
  const unconfirmed = new Set(workers.setups.filter((setup) => setup.unconfirmed).map(({ id }) => id));
  const pool = (saved?.workers ?? workers.pool.map(({ id }) => id)).filter((id) => !unconfirmed.has(id));
  const isUsed = ({ id }: WorkersState['setups'][number]) =>
    !unconfirmed.has(id) && (pool.includes(id) || conductor?.endsWith(`endpoint:${id}`) === true);
  const text = await services.poolFile({
    ...(saved ? { name: saved.name } : {}),
    pool,
    workers: workers.setups.filter(isUsed),
    conductor,
    preferences: preferences.current,
  });
  const target = await choose('podium-pool.json');
  await target?.write(new Blob([text]).stream(), new AbortController().signal);
}
