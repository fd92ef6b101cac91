/** @file Asks an instant Conductor (one without slow calls, such as the policy) for a plan while the user types the question. */
import {
  planRequestOf,
  type Conductor,
  type Fault,
  type PlanRequest,
  type PoolWorker,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { startOf, type NewRun, type PlanHistory } from '../../core/runs';

/** The plan that an instant Conductor proposed, or the reason why there is no plan. */
export interface Proposal {
  readonly workflow: Workflow | null;
  readonly fault: Fault | null;
  readonly pool: readonly PoolWorker[];
  /** Why each step went to its worker. `null` if the Conductor gives no reasons. */
  readonly reasons: readonly StepChoice[] | null;
  /** Why a fallback Conductor planned. `null` if the chosen Conductor planned. */
  readonly replacedFault: Fault | null;
}

/** Makes the same request as the first round of the run, so that the shown plan is the plan that runs. */
export function previewRequest(request: NewRun, planHistory: PlanHistory): PlanRequest {
  return planRequestOf(startOf(request), planHistory);
}

/** Asks for one plan. Throws an `AbortError` after an abort. */
export async function propose(conductor: Conductor, request: PlanRequest, signal: AbortSignal): Promise<Proposal> {
  const none = { pool: request.pool, workflow: null, fault: null, reasons: null };
  let replacedFault: Fault | null = null;
  for await (const event of conductor.propose(request, signal)) {
    if (event.type === 'plan-retried' && event.next === 'fallback') replacedFault = event.fault;
    if (event.type === 'plan-finished') {
      return { ...none, workflow: event.workflow, reasons: event.choices ?? null, replacedFault };
    }
    if (event.type === 'plan-failed') return { ...none, fault: event.fault, replacedFault };
  }
  return { ...none, replacedFault };
}
