/** @file A pair of answers on the page: the second answer, and the user's vote. */
import {
  aloneWorker,
  isAbort,
  questionTokens,
  samplingOf,
  TEMPLATE_MAX_STEPS,
  toFault,
  worstCost,
  type Fault,
  type Preference,
  type Run,
} from '../../../core/contract';
import type { PairServices } from '../../services';

/** Tokens of Podium's own wording in the prompt. */
const FRAME = 250;

export class PairState {
  readonly #services: PairServices;
  readonly #run: () => Run;
  readonly #changed: (run: Run) => void;
  isAnswering = $state(false);
  /** Why the last action failed. */
  fault: Fault | null = $state.raw(null);

  constructor(services: PairServices, run: () => Run, changed: (run: Run) => void) {
    this.#services = services;
    this.#run = run;
    this.#changed = changed;
  }

  /** Lets the worker alone answer, or waits for its call in progress. */
  async answer(): Promise<void> {
    if (this.isAnswering) return;
    this.isAnswering = true;
    await this.#do(async () => this.#changed(await (await this.#services.pairs()).answer(this.#run().id)));
    this.isAnswering = false;
  }

  /** If the worker is answering already, for example because the user has visited another page, waits for it. */
  async join(): Promise<void> {
    const { id } = this.#run();
    await this.#do(async () => {
      if ((await this.#services.pairs()).isAnswering(id)) await this.answer();
    });
  }

  async vote(preferred: Preference): Promise<void> {
    await this.#do(async () => this.#changed(await (await this.#services.pairs()).compare(this.#run().id, preferred)));
  }

  /**
   * The most that the second answer costs, in US dollars. At equal cost, it does not follow from the cost of the run, which is not
   * shown yet. `null`: unknown.
   */
  get ceiling(): number | null {
    const run = this.#run();
    const worker = aloneWorker(run);
    if (!worker) return 0;
    const { maxTokens } = samplingOf(worker, run.sampling);
    const call = worstCost(worker, 2 * (questionTokens(run.question) + FRAME), maxTokens);
    if (call === null || !run.alone?.equalCost) return call;
    return Math.min(run.caps.usd ?? Infinity, TEMPLATE_MAX_STEPS * call);
  }

  async #do(action: () => Promise<void>): Promise<void> {
    this.fault = null;
    try {
      await action();
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }
}
