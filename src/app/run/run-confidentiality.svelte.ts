/**
 * @file Finds out whether a run is confidential. A confidential run must not leave this browser, so
 * the page doesn't offer to copy or save it.
 */
import type { Run } from '../../core/contract';
import { CONFIDENTIAL_RUN } from '../../core/contract/run/confidential';
import type { ReplayServices } from '../services';

export class RunConfidentiality {
  readonly #services: ReplayServices;
  readonly #run: () => Run | null;
  /** The result of `check`. `null`: the check has not finished, or it failed. */
  #found: boolean | null = $state(null);

  /**
   * Whether the run must not leave this browser. `true` while there is no run. Runs from older
   * versions of Podium may lack the mark `isConfidential`. A run that belongs to a batch or builds on
   * an earlier run therefore counts as confidential until `check` finds that it is not.
   */
  readonly isConfidential: boolean = $derived.by(() => {
    const run = this.#run();
    return run === null || run.isConfidential || (hasSource(run) && this.#found !== false);
  });
  /**
   * Why the run must stay in this browser, as a sentence for the user. `''`: the run may leave, or
   * the result of `check` is not known.
   */
  readonly sentence: string = $derived.by(() =>
    this.#run()?.isConfidential === true || this.#found === true ? CONFIDENTIAL_RUN : '',
  );
  /**
   * The sentence that replaces the controls for copying and saving the run. `''`: the result of
   * `check` is not known, so the controls are only hidden. `null`: the run may leave this browser.
   */
  readonly withheld: string | null = $derived(this.isConfidential ? this.sentence : null);

  constructor(services: ReplayServices, run: () => Run | null) {
    this.#services = services;
    this.#run = run;
  }

  /** Checks whether the run's batch or one of its earlier runs is confidential. Never rejects. */
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

/** Whether the run belongs to a batch or builds on an earlier run. */
function hasSource({ batch, parent, question }: Run): boolean {
  return batch !== null || parent !== null || question.context !== undefined;
}
