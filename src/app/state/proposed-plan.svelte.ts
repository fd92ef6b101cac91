/** @file The plan that the chosen Conductor writes while the question is still being written. */
import { isAbort, toFault, type PoolWorker } from '../../core/contract';
import type { NewRun } from '../../core/runs';
import type { Services } from '../services';
import { propose, type Proposal } from './proposal';

/** ms that typing must rest before the plan is written anew. */
const TYPING_PAUSE = 120;

export class ProposedPlan {
  readonly #services: Pick<Services, 'runs'>;
  #hasPlanned = false;

  /** `null`: it has not come, or none is to come. */
  proposal: Proposal | null = $state.raw(null);
  /** Whether it is the first that has come. */
  isFirst = $state(false);

  constructor(services: Pick<Services, 'runs'>) {
    this.#services = services;
  }

  forget(): void {
    this.proposal = null;
  }

  /** Writes the plan for a request once that has rested. @param pool whom the plan may name @returns how to stop */
  follow(request: NewRun, pool: readonly PoolWorker[]): () => void {
    const stop = new AbortController();
    const pause = this.#hasPlanned ? TYPING_PAUSE : 0;
    const timer = setTimeout(() => void this.#propose(request, pool, stop.signal), pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }

  async #propose(request: NewRun, pool: readonly PoolWorker[], signal: AbortSignal): Promise<void> {
    const { question, images = [], maxSteps, access, recursion, seed = 0, conductor } = request;
    try {
      const told = await this.#services.runs.told(question, signal);
      const asked = { question, images, pool, maxSteps, access, recursion, round: 0, earlier: [], seed, ...told };
      const proposal = await propose(conductor, asked, signal);
      if (signal.aborted) return;
      this.isFirst = !this.#hasPlanned;
      this.#hasPlanned = true;
      this.proposal = proposal;
    } catch (thrown) {
      if (!signal.aborted && !isAbort(thrown))
        this.proposal = { workflow: null, fault: toFault(thrown), pool, reasons: null, stoodInFor: null };
    }
  }
}
