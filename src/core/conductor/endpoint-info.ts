/**
 * @file Describes a worker as a Conductor. This file is separate, so that listing Conductors does not load the code that calls
 * workers.
 */
import type { ConductorInfo, PoolWorker } from '../contract';

/** The information that a run records about a worker that is the Conductor. */
export function endpointConductorInfo({ id, name, model, origin, price, canSee }: PoolWorker): ConductorInfo {
  const info: ConductorInfo = { id: `endpoint:${id}`, label: name, kind: 'endpoint', model, origin, price };
  return canSee ? { ...info, canSee } : info;
}
