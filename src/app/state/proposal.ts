/** @file What a Conductor that plans at once proposes while the question is still being written. */
import {
  planRequestOf,
  type Conductor,
  type Fault,
  type PlanRequest,
  type PoolWorker,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { startOf, type NewRun, type ToldHistory } from '../../core/runs';

/** What an instant Conductor proposed for the request as it stands. */
export interface Proposal {
  readonly workflow: Workflow | null;
  readonly fault: Fault | null;
  readonly pool: readonly PoolWorker[];
  /** Why each step went to its worker, where the Conductor could say. */
  readonly reasons: readonly StepChoice[] | null;
  /** Why another Conductor planned than the one that was asked; `null` where that one did. */
  readonly stoodInFor: Fault | null;
}

/** What the Conductor is asked before the run: the same as in its first round, so that the plan shown is the plan that runs. */
export function previewRequest(request: NewRun, told: ToldHistory): PlanRequest {
  return planRequestOf(startOf(request), told);
}

/** Asks for one plan. Throws for an abort. */
export async function propose(conductor: Conductor, request: PlanRequest, signal: AbortSignal): Promise<Proposal> {
  const none = { pool: request.pool, workflow: null, fault: null, reasons: null };
  let stoodInFor: Fault | null = null;
  for await (const event of conductor.propose(request, signal)) {
    if (event.type === 'plan-retried' && event.next === 'fallback') stoodInFor = event.fault;
    if (event.type === 'plan-finished') {
      return { ...none, workflow: event.workflow, reasons: event.choices ?? null, stoodInFor };
    }
    if (event.type === 'plan-failed') return { ...none, fault: event.fault, stoodInFor };
  }
  return { ...none, stoodInFor };
}
