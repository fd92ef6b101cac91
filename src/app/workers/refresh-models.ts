/** @file Requests the list of a connection's models, and updates the connection's workers from it. */
import {
  dayOf,
  originOf,
  type Connection,
  type FoundServer,
  type ListedModel,
  type ModelList,
} from '../../core/contract';
import { canonicalJson } from '../../core/contract/canonical-json';
import { readExtras } from '../../core/contract/worker/connection-extras';
import { refreshedWorker } from '../../core/contract/worker/refresh-worker';
import type { KeyServices, WorkerServices } from '../services';
import type { WorkersState } from '../state/workers.svelte';

export type RefreshServices = Pick<WorkerServices, 'tester' | 'modelLists' | 'setups'> & Pick<KeyServices, 'keys'>;

/** A list that was read so recently is not requested again when the Workers page opens, ms. */
const FRESH = 300_000;

/** Requests and stores the list, and updates the workers. Rejects with a `FaultError`, or with an `AbortError` on abort. */
export async function refreshModels(
  services: RefreshServices,
  workers: WorkersState,
  connection: Connection,
  signal: AbortSignal,
): Promise<{ readonly list: ModelList; readonly unlisted: FoundServer['unlisted'] }> {
  const { id, baseUrl, provider } = connection;
  const { keys } = services;
  const origin = originOf(baseUrl);
  const tester = await services.tester();
  const extras = readExtras(keys, { id, connection: id }, origin);
  const { models, unlisted } = await tester.connect(baseUrl, keys.get(id, origin), signal, provider, extras);
  const lists = await services.modelLists();
  const before = await lists.read(id);
  const list = { connection: id, baseUrl, at: Date.now(), models };
  await lists.put(list);
  if (models.length > 0) await updateWorkers(services, workers, before?.models ?? [], list);
  return { list, unlisted };
}

/** Whether a list was read from the connection's present address, but not just now. */
export async function mayRefresh(
  services: Pick<RefreshServices, 'modelLists'>,
  { id, baseUrl, unconfirmed }: Connection,
): Promise<boolean> {
  if (unconfirmed) return false;
  const list = await (await services.modelLists()).read(id).catch(() => null);
  return list?.baseUrl !== undefined && originOf(list.baseUrl) === originOf(baseUrl) && Date.now() - list.at > FRESH;
}

async function updateWorkers(
  { setups }: Pick<RefreshServices, 'setups'>,
  workers: WorkersState,
  before: readonly ListedModel[],
  { connection, models }: ModelList,
): Promise<void> {
  const today = dayOf(Date.now());
  const find = (listed: readonly ListedModel[], model: string) => listed.find(({ id }) => id === model);
  const own = workers.setups.filter((setup) => setup.connection === connection && !setup.unconfirmed);
  const changed = own
    .map((setup) => ({
      setup,
      next: refreshedWorker(setup, find(before, setup.model), find(models, setup.model), today),
    }))
    .filter(({ setup, next }) => canonicalJson(setup) !== canonicalJson(next));
  for (const { next } of changed) await setups.put(next);
  if (changed.length > 0) await workers.load();
}
