/**
 * @file Requests a plan while the user types the question. Used only with instant Conductors, which
 * plan without calling a server or a language model.
 */
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

/** The plan that the Conductor proposed, or the reason why there is no plan. */
export interface Proposal {
  readonly workflow: Workflow | null;
  readonly fault: Fault | null;
  readonly pool: readonly PoolWorker[];
  /** Why each step has its worker. `null`: the Conductor gives no reasons. */
  readonly reasons: readonly StepChoice[] | null;
  /** Why a fallback Conductor wrote the plan. `null`: the chosen Conductor wrote it. */
  readonly replacedFault: Fault | null;
}

/**
 * Builds the plan request for the preview. The first round of the run sends the same request, so
 * the run gets the plan that the user has seen.
 */
export function previewRequest(request: NewRun, planHistory: PlanHistory): PlanRequest {
  return planRequestOf(startOf(request), planHistory);
}

/** Requests one plan. Rejects with an `AbortError` if the signal aborts. */
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
