/** @file Previews the plan of the chosen Conductor before a run starts. */
import {
  isAbort,
  toFault,
  planRequestOf,
  type Conductor,
  type Fault,
  type PlanRequest,
  type PoolWorker,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { type NewRun, startOf } from '../../core/runs/new-run';
import type { PlanHistory } from '../../core/runs/history';
import type { RunServices } from '../services';

/** A proposal, with the request and the run history from which the Conductor made it. */
export interface MadeProposal extends Proposal {
  readonly request: NewRun;
  readonly planHistory?: PlanHistory;
}

/** Debounce delay before a plan is requested, ms. The first plan is requested without delay. */
const TYPING_PAUSE = 120;

export class ProposedPlan {
  readonly #services: Pick<RunServices, 'runs'>;
  #hasPlanned = false;

  /** The newest proposal. `null`: no proposal has arrived yet, or `forget` was called. */
  proposal: MadeProposal | null = $state.raw(null);
  /** Whether `proposal` belongs to the first request for which a plan was made. */
  isFirst = $state(false);

  constructor(services: Pick<RunServices, 'runs'>) {
    this.#services = services;
  }

  forget(): void {
    this.proposal = null;
  }

  /**
   * Returns the request for the run. If the shown plan was made for this request, adds the history of runs
   * that this plan is based on. The Conductor then makes the same plan again.
   */
  asShown(request: NewRun): NewRun {
    const { proposal } = this;
    return proposal?.planHistory && proposal.request === request
      ? { ...request, planHistory: proposal.planHistory }
      : request;
  }

  /** Requests a plan after the debounce delay. @returns a function that cancels the request */
  follow(request: NewRun): () => void {
    const stop = new AbortController();
    const pause = this.#hasPlanned ? TYPING_PAUSE : 0;
    const timer = setTimeout(() => void this.#propose(request, stop.signal), pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }

  async #propose(request: NewRun, signal: AbortSignal): Promise<void> {
    try {
      const planHistory = await this.#services.runs.historyFor(request.question, signal);
      const isFirst = !this.#hasPlanned;
      await this.#write(request, planHistory, isFirst, signal);
      if (planHistory.embeddings || planHistory.history.length === 0) return;
      // The sentence model may have been too slow. Wait for its embeddings, then plan again.
      const later = await this.#services.runs.historyFor(request.question, signal, Infinity);
      if (later.embeddings) await this.#write(request, later, isFirst, signal);
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      const none = { workflow: null, reasons: null, replacedFault: null };
      this.proposal = { ...none, request, fault: toFault(thrown), pool: request.pool };
    }
  }

  async #write(request: NewRun, planHistory: PlanHistory, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const proposed = await propose(request.conductor, previewRequest(request, planHistory), signal);
    if (signal.aborted) return;
    this.isFirst = isFirst;
    this.#hasPlanned = true;
    this.proposal = { ...proposed, request, planHistory };
  }
}

// Requests a plan while the user types the question. Used only with instant Conductors, which
// plan without calling a server or a language model.

/** The plan that the Conductor proposed, or the reason why there is no plan. */
interface Proposal {
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
