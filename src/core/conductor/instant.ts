/** @file Makes Conductors that call no model. Their plans are complete at once. */
import { withSight } from './sight';
import {
  abortError,
  fault,
  type Conductor,
  type ConductorInfo,
  type PlanEvent,
  type PlanRequest,
  type PlanSource,
} from '../contract';
import type { InstantPlan, Refusal } from './instant-plan';

/** Makes a Conductor from a function that maps a request to a plan. */
export function instantConductor(
  info: ConductorInfo,
  plan: (request: PlanRequest) => InstantPlan | Refusal,
  source: PlanSource = 'conductor',
): Conductor {
  return {
    info,
    async *propose(request, signal): AsyncGenerator<PlanEvent> {
      if (signal.aborted) throw abortError();
      yield { type: 'plan-started', conductor: info, messages: [] };
      const planned = plan(request);
      if ('fault' in planned) {
        yield { type: 'plan-failed', ...planned, text: '', usage: null, cost: null };
        return;
      }
      const seeing = source === 'person' ? planned : withSight(planned, request);
      for (const [index, step] of seeing.workflow.steps.entries()) yield { type: 'plan-step-known', index, step };
      yield finishedPlan(seeing, source);
    },
  };
}

/** The `plan-finished` event of a plan for which no model was called. */
export function finishedPlan({ workflow, thought, ...details }: InstantPlan, source: PlanSource): PlanEvent {
  const nothingWritten = { text: '', usage: null, cost: null, finishReason: null } as const;
  return { type: 'plan-finished', workflow, thought, source, ...nothingWritten, ...details };
}

/** The result if no worker in the pool can answer a subtask. */
export function noWorkers(): Refusal {
  return { fault: fault('no-workers', 'No worker in the pool can answer. Add or choose at least one.'), problem: null };
}
