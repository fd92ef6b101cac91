/** @file A Conductor whose code and weights come when it is first asked for a plan. */
import { abortError, isAbort, toFault, unlessAborted, type Conductor, type ConductorInfo } from '../contract';

/**
 * @param load where it fails the plan fails with that fault, and the next request tries again as far as `load` does
 * @param standIn plans in that case instead; the plan says that it did, and why
 */
export function lateConductor(info: ConductorInfo, load: () => Promise<Conductor>, standIn?: Conductor): Conductor {
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
        if (!standIn) {
          yield { type: 'plan-failed', ...lost };
          return;
        }
        yield { type: 'plan-retried', ...lost, next: 'fallback' };
        for await (const event of standIn.propose(request, signal)) {
          if (event.type === 'plan-finished') yield { ...event, source: 'fallback' };
          else if (event.type !== 'plan-started') yield event;
        }
        return;
      }
      yield* conductor.propose(request, signal);
    },
  };
}
