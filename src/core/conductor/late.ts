/** @file Lazy-loads the code and the weights of a Conductor when a plan is requested. */
import { abortError, isAbort, toFault, unlessAborted, type Conductor, type ConductorInfo } from '../contract';

/**
 * Makes a Conductor that calls `load` for every plan.
 * @param fallback the Conductor that plans if `load` fails. The plan then records the fallback and the error. Without a fallback,
 * the plan fails with the error of `load`
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
