/**
 * @file Describes a worker that is used as the Conductor. This file is separate, so that listing Conductors does not load the
 * code that calls workers.
 */
import type { ConductorInfo, PoolWorker } from '../contract';

/** The information that a run records if this worker is the Conductor. */
export function endpointConductorInfo({ id, name, model, origin, price, canSee }: PoolWorker): ConductorInfo {
  const info: ConductorInfo = { id: `endpoint:${id}`, label: name, kind: 'endpoint', model, origin, price };
  return canSee ? { ...info, canSee } : info;
}
