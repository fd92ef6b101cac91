/** @file Makes a Conductor whose code and weights are loaded only when a plan is requested. */
import { abortError, isAbort, toFault, unlessAborted, type Conductor, type ConductorInfo } from '../contract';

/**
 * @param load is called for every plan. If it fails and there is no fallback, the plan fails with the fault
 * of `load`
 * @param fallback the Conductor that plans if `load` fails. The plan records the fallback and the reason
 */
export function lateConductor(info: ConductorInfo, load: () => Promise<Conductor>, fallback?: Conductor): Conductor {
  return {
    info,
    async *propose(request, signal) {
      if (signal.aborted) throw abortError();
      let conductor: Conductor;
      try {
        conductor = await unlessAborted(load(), signal);
      } catch (thrown) {
        if (isAbort(thrown)) throw thrown;
        const lost = { problem: null, fault: toFault(thrown), text: '', usage: null, cost: null } as const;
        yield { type: 'plan-started', conductor: info, messages: [] };
        if (!fallback) {
          yield { type: 'plan-failed', ...lost };
          return;
        }
        yield { type: 'plan-retried', ...lost, next: 'fallback' };
        for await (const event of fallback.propose(request, signal)) {
          if (event.type === 'plan-finished') yield { ...event, source: 'fallback' };
          else if (event.type !== 'plan-started') yield event;
        }
        return;
      }
      yield* conductor.propose(request, signal);
    },
  };
}
