/**
 * @file Finds out whether shown runs are confidential. A confidential run must not leave this browser, so
 * the page doesn't offer to copy or save it. A page provides the result to its parts by context.
 */
import { getContext, setContext, untrack } from 'svelte';
import type { Run } from '../../core/contract';
import { CONFIDENTIAL_RUN } from '../../core/contract/run/confidential';
import type { ReplayServices } from '../services';

export class RunConfidentiality {
  readonly #services: ReplayServices;
  readonly #runs: () => readonly Run[];
  /** The results of `check`, by run id. A run is missing if its check has not finished, or has failed. */
  #found: Readonly<Record<string, boolean>> = $state.raw({});

  /**
   * Whether the runs must not leave this browser. `true` while there is no run. Runs from older
   * versions of Podium may lack the mark `isConfidential`. A run that belongs to a batch or builds on
   * an earlier run therefore counts as confidential until `check` finds that it is not.
   */
  readonly isConfidential: boolean = $derived.by(() => {
    const runs = this.#runs();
    return runs.length === 0 || runs.some((run) => run.isConfidential || this.#isUncertain(run));
  });
  /**
   * Why the runs must stay in this browser, as a sentence for the user. `''`: the runs may leave, or
   * the result of `check` is not known.
   */
  readonly sentence: string = $derived.by(() =>
    this.#runs().some((run) => run.isConfidential || this.#found[run.id] === true) ? CONFIDENTIAL_RUN : '',
  );
  /**
   * The sentence that replaces the controls for copying and saving the runs. `''`: the result of
   * `check` is not known, so the controls are only hidden. `null`: the runs may leave this browser.
   */
  readonly withheld: string | null = $derived(this.isConfidential ? this.sentence : null);
  /** Ids of the runs to check. Derived as text, so that the events of a live run don't repeat the check. */
  readonly unchecked: string = $derived.by(() =>
    this.#runs()
      .flatMap((run) => (!run.isConfidential && hasSource(run) ? run.id : []))
      .join('\n'),
  );

  constructor(services: ReplayServices, runs: () => readonly Run[]) {
    this.#services = services;
    this.#runs = runs;
  }

  /** Checks whether the batches of the runs or their earlier runs are confidential. Never rejects. */
  async check(): Promise<void> {
    for (const id of this.unchecked.split('\n').filter(Boolean)) {
      try {
        const isConfidential = await (await this.#services.replayFiles()).isConfidential(id);
        this.#found = { ...this.#found, [id]: isConfidential };
      } catch {
        // If the check fails, the run still counts as confidential.
      }
    }
  }

  #isUncertain(run: Run): boolean {
    return hasSource(run) && this.#found[run.id] !== false;
  }
}

/** Whether the run belongs to a batch or builds on an earlier run. */
function hasSource({ batch, parent, question }: Run): boolean {
  return batch !== null || parent !== null || question.context !== undefined;
}

const KEY = Symbol('confidentiality');
const UNKNOWN: Pick<RunConfidentiality, 'isConfidential' | 'sentence' | 'withheld'> = {
  isConfidential: true,
  sentence: '',
  withheld: '',
};

/** Checks the shown runs, and provides the result to the parts of a page. Call it while a component initializes. */
export function provideConfidentiality(services: ReplayServices, runs: () => readonly Run[]): RunConfidentiality {
  const confidentiality = new RunConfidentiality(services, runs);
  $effect(() => {
    if (confidentiality.unchecked !== '') void untrack(() => confidentiality.check());
  });
  return setContext(KEY, confidentiality);
}

/** Whether the shown runs may leave this browser. If the page has not provided an answer, they may not. */
export function useConfidentiality(): typeof UNKNOWN {
  return getContext<RunConfidentiality | undefined>(KEY) ?? UNKNOWN;
}
