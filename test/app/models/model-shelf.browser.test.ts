import { describe, expect, test } from 'vitest';
import { ModelShelf } from '../../../src/app/models/model-shelf.svelte';
import { ModelsState } from '../../../src/app/state/models.svelte';
import { PreferencesState } from '../../../src/app/state/preferences.svelte';
import { fault, FaultError } from '../../../src/core/contract';
import { conductStage } from '../conduct/conduct-services';
import { modelStage, SMALL } from './model-services';

const LOCKED = fault('storage-failed', 'The files could not be deleted.');

/** The state of the Models page with one downloaded model. Its files can't be deleted while `isLocked` is true. */
async function stage() {
  const models = modelStage();
  const { services } = conductStage();
  const desk = await models.services.desk();
  const disk = { isLocked: true };
  const cache: typeof desk.cache = {
    ...desk.cache,
    delete: (model) => (disk.isLocked ? Promise.reject(new FaultError(LOCKED)) : desk.cache.delete(model)),
  };
  const local = { ...models.services, desk: () => Promise.resolve({ ...desk, cache }) };
  models.cached.push({ manifestId: SMALL.id, bytes: 5e8, total: 5e8, complete: true });
  const state = new ModelsState(local, new PreferencesState(services.preferences));
  const shelf = new ModelShelf({ ...services, models: local }, state);
  await shelf.open();
  return { ...models, shelf, state, disk };
}

describe('the Models page', () => {
  test('shows why a deletion of files failed, until a later attempt succeeds', async () => {
    const { shelf, disk } = await stage();
    await shelf.forget(SMALL);
    expect(shelf.fault).toEqual(LOCKED);
    expect(shelf.cacheOf(SMALL)?.complete).toBe(true);
    disk.isLocked = false;
    await shelf.forget(SMALL);
    expect(shelf.fault).toBeNull();
    expect(shelf.cacheOf(SMALL)).toBeNull();
  });

  test('does not download a model again if its files cannot be deleted first', async () => {
    const { shelf, loader } = await stage();
    await shelf.fetchAgain(SMALL);
    expect(shelf.fault).toEqual(LOCKED);
    expect(loader.loaded).toEqual([]);
  });

  test('keeps the user’s own model in the list until its files are deleted', async () => {
    const { shelf, state, disk } = await stage();
    await shelf.save({ ...SMALL, id: 'own:small' });
    const [own] = state.own;
    if (!own) throw new Error('nothing was saved');
    await shelf.remove(own);
    expect(shelf.fault).toEqual(LOCKED);
    expect(state.own).toHaveLength(1);
    disk.isLocked = false;
    await shelf.remove(own);
    expect(state.own).toEqual([]);
  });
});
