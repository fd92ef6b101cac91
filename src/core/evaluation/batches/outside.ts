/** @file Finds workers, Conductors and judges of a batch that run on a server, because *Private* forbids calls to servers. */
import { isLocal, type BatchPlan } from '../../contract';

/** The name of the first worker, Conductor or judge of the plan that runs on a server. `null`: none does. */
export function outsideName({ methods, judge }: BatchPlan): string | null {
  for (const { settings } of methods) {
    const worker = settings.pool.find((each) => !isLocal(each));
    if (worker) return worker.name;
    if (!isLocal(settings.conductor)) return settings.conductor.label;
  }
  return judge && !isLocal(judge) ? judge.name : null;
}
