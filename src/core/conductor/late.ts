/** @file A Conductor whose code and weights come when it is first asked for a plan. */
import { abortError, toFault, type Conductor, type ConductorInfo } from '../contract';

/** Where loading fails, the plan fails with that fault; the next request tries again as far as `load` does. */
export function lateConductor(info: ConductorInfo, load: () => Promise<Conductor>): Conductor {
  return {
    info,
    async *propose(request, signal) {
      if (signal.aborted) throw abortError();
      let conductor: Conductor;
      try {
        conductor = await load();
      } catch (thrown) {
        yield { type: 'plan-started', conductor: info, messages: [] };
        yield { type: 'plan-failed', problem: null, fault: toFault(thrown), text: '', usage: null, cost: null };
        return;
      }
      yield* conductor.propose(request, signal);
    },
  };
}
