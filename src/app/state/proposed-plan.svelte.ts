/** @file The plan that the chosen Conductor writes while the question is still being written. */
import { isAbort, toFault } from '../../core/contract';
import type { NewRun, ToldHistory } from '../../core/runs';
import type { RunServices } from '../services';
import { previewRequest, propose, type Proposal } from './proposal';

/** A proposal, and what it was made for and from. */
export interface MadeProposal extends Proposal {
  readonly request: NewRun;
  readonly told?: ToldHistory;
}

/** ms that typing must rest before the plan is written anew. */
const TYPING_PAUSE = 120;

export class ProposedPlan {
  readonly #services: Pick<RunServices, 'runs'>;
  #hasPlanned = false;

  /** `null`: it has not come, or none is to come. */
  proposal: MadeProposal | null = $state.raw(null);
  /** Whether it is the first that has come. */
  isFirst = $state(false);

  constructor(services: Pick<RunServices, 'runs'>) {
    this.#services = services;
  }

  forget(): void {
    this.proposal = null;
  }

  /** The request with what the plan on the page was made from, if that plan is for it: what was shown is what runs. */
  asShown(request: NewRun): NewRun {
    const { proposal } = this;
    return proposal?.told && proposal.request === request ? { ...request, told: proposal.told } : request;
  }

  /** Debounced: writes the plan for a request once typing pauses. @returns how to stop */
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
      const told = await this.#services.runs.told(request.question, signal);
      const isFirst = !this.#hasPlanned;
      await this.#write(request, told, isFirst, signal);
      if (told.embeddings || told.history.length === 0) return;
      // A sentence model that was not ready in time: the plan is made anew as soon as it has placed the question.
      const later = await this.#services.runs.told(request.question, signal, Infinity);
      if (later.embeddings) await this.#write(request, later, isFirst, signal);
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      const none = { workflow: null, reasons: null, stoodInFor: null };
      this.proposal = { ...none, request, fault: toFault(thrown), pool: request.pool };
    }
  }

  async #write(request: NewRun, told: ToldHistory, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const proposed = await propose(request.conductor, previewRequest(request, told), signal);
    if (signal.aborted) return;
    this.isFirst = isFirst;
    this.#hasPlanned = true;
    this.proposal = { ...proposed, request, told };
  }
}
