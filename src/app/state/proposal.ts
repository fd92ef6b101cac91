/** @file What a Conductor that plans at once proposes while the question is still being written. */
import type { Conductor, Fault, PlanRequest, PoolWorker, StepChoice, Workflow } from '../../core/contract';

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
