/** @file Describes a worker as a Conductor. Separate, so that listing Conductors does not load the code that calls them. */
import type { ConductorInfo, PoolWorker } from '../contract';

/** What a run records about a worker that conducts. */
export function endpointConductorInfo({ id, name, model, origin, price, canSee }: PoolWorker): ConductorInfo {
  const info: ConductorInfo = { id: `endpoint:${id}`, label: name, kind: 'endpoint', model, origin, price };
  return canSee ? { ...info, canSee } : info;
}
