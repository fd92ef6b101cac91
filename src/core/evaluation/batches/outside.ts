/** @file Checks whether a batch would call a server. The setting *Private* forbids such calls. */
import { isLocal, type BatchPlan } from '../../contract';

/** The name of a worker, Conductor or judge that runs on a server, the first in the plan. `null`: there is none. */
export function outsideName({ methods, judge }: BatchPlan): string | null {
  for (const { settings } of methods) {
    const worker = settings.pool.find((each) => !isLocal(each));
    if (worker) return worker.name;
    if (!isLocal(settings.conductor)) return settings.conductor.label;
  }
  return judge && !isLocal(judge) ? judge.name : null;
}
