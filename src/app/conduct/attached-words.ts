/** @file The words about the images and files attached to the question. */
import type { PoolWorker } from '../../core/contract';

/** Says that no worker in the pool can see images, and what to do. */
export function sightNote(pool: readonly PoolWorker[]): string {
  const candidate = pool.find(({ kind }) => kind === 'endpoint');
  return candidate
    ? `None of the chosen workers can see images. If ${candidate.name} can, edit this worker under Workers and tick “Can see images”.`
    : 'None of the chosen workers can see images. Under Workers, add a model that can, and tick “Can see images”.';
}
