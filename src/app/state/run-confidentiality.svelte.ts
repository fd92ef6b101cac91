/** @file Checks whether a run must not leave this browser. If so, the page doesn't offer to copy or save the run. */
import type { Run } from '../../core/contract';
import { CONFIDENTIAL_RUN } from '../../core/contract/run/confidential';
import type { ReplayServices } from '../services';

export class RunConfidentiality {
  readonly #services: ReplayServices;
  readonly #run: () => Run | null;
  /** The result of the check. `null`: it has not finished, or it failed. */
  #found: boolean | null = $state(null);

  /**
   * Whether the run must not leave this browser. Runs from older versions of Podium may lack the mark `isConfidential`. So a run
   * that belongs to a batch or builds on an earlier run counts as confidential until `check` has found that it is not. `true`
   * while there is no run.
   */
  readonly isConfidential: boolean = $derived.by(() => {
    const run = this.#run();
    return run === null || run.isConfidential || (hasSource(run) && this.#found !== false);
  });
  /** Why the run must stay in this browser, as a sentence. `''`: the run may leave, or this is not known yet. */
  readonly sentence: string = $derived.by(() =>
    this.#run()?.isConfidential === true || this.#found === true ? CONFIDENTIAL_RUN : '',
  );
  /** The sentence that replaces the controls for copying and saving the run. `null`: the run may leave. */
  readonly withheld: string | null = $derived(this.isConfidential ? this.sentence : null);

  constructor(services: ReplayServices, run: () => Run | null) {
    this.#services = services;
    this.#run = run;
  }

  /** Checks whether the run's batch or an earlier run is confidential. Never rejects. */
  async check(): Promise<void> {
    const run = this.#run();
    if (run === null || run.isConfidential || !hasSource(run)) return;
    try {
      this.#found = await (await this.#services.replayFiles()).isConfidential(run.id);
    } catch {
      // If the check fails, the run still counts as confidential.
      this.#found = null;
    }
  }
}

/** Whether the run could be confidential although it is not marked. */
function hasSource({ batch, parent, question }: Run): boolean {
  return batch !== null || parent !== null || question.context !== undefined;
}
