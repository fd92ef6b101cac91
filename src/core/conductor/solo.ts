/**
 * @file The ids of templates in which one worker does all steps. For example, `template:consensus` uses the best worker, and
 * `template:consensus@<worker id>` uses the worker that the user chose. This file is separate, so that listing Conductors does
 * not load the code that plans.
 */
import type { ConductorInfo } from '../contract';

/** A template's id and the id of the worker that the user chose for it. `null`: the best worker. */
export function partsOf(conductorId: string): { readonly template: string; readonly worker: string | null } {
  const at = conductorId.indexOf('@');
  // The id of any other Conductor is not split, because it may contain an @ as part of a worker's id.
  if (at < 0 || !conductorId.startsWith('template:')) return { template: conductorId, worker: null };
  return { template: conductorId.slice(0, at), worker: conductorId.slice(at + 1) };
}

/** A template in which the given worker does all steps. */
export function withWorker(info: ConductorInfo, worker: { readonly id: string; readonly name: string }): ConductorInfo {
  const { template } = partsOf(info.id);
  return { ...info, id: `${template}@${worker.id}`, label: `${info.label}: ${worker.name}` };
}
