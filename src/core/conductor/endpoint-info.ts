/** @file How a worker is called where it conducts. Apart, so that a list of Conductors needs none of the code that asks one. */
import type { ConductorInfo, PoolWorker } from '../contract';

/** What a run remembers of a worker that conducts. */
export function endpointConductorInfo({ id, name, model, origin, price, canSee }: PoolWorker): ConductorInfo {
  const info: ConductorInfo = { id: `endpoint:${id}`, label: name, kind: 'endpoint', model, origin, price };
  return canSee ? { ...info, canSee } : info;
}
