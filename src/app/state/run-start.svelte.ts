/** @file From the press of Run, Resume or Fork to the run being under way on the page, or to why it is not. */
import { isAbort, toFault, type Fault } from '../../core/contract';
import type { ForkPoint, LiveRun } from '../../core/runs';
import type { Services } from '../services';
import { LiveRunView } from './live-run.svelte';

export class RunStart {
  readonly #services: Services;
  readonly #question: () => string;
  /** The question that the run on the page stands under; another one puts it aside. */
  #shownFor = $state('');
  #hasAskedToKeep = false;

  /** The run on the page: at work, or ended. */
  live: LiveRunView | null = $state.raw(null);
  /** Why Run, Resume or a grade was refused. */
  refusal: Fault | null = $state.raw(null);
  /** Between Run and the first event. */
  isStarting = $state(false);

  readonly isRunning: boolean = $derived.by(() => this.live?.isRunning ?? false);
  /** Whether the page shows the run; else it shows the plan. */
  readonly isShown: boolean = $derived.by(() => {
    return this.live !== null && (this.isRunning || this.#question() === this.#shownFor);
  });

  /** @param question the one that stands on the page */
  constructor(services: Services, question: () => string) {
    this.#services = services;
    this.#question = question;
  }

  /**
   * Puts a run on the page as soon as it is under way. One at a time: another press meanwhile does nothing.
   * @returns whether it began; where it did not, `refusal` says why
   */
  async begin(start: () => Promise<LiveRun>): Promise<boolean> {
    if (this.isStarting) return false;
    this.isStarting = true;
    this.refusal = null;
    try {
      const view = new LiveRunView(await start());
      this.live?.close();
      this.live = view;
      this.#shownFor = this.#question();
      void view.ended.then(({ status }) => {
        if (status === 'finished') void this.#keepSafe();
        if (this.live === view) this.#shownFor = this.#question();
      });
      return true;
    } catch (thrown) {
      // The user declined: nothing was asked for after all.
      if (!isAbort(thrown)) this.refusal = toFault(thrown);
      return false;
    } finally {
      this.isStarting = false;
    }
  }

  /** Starts a new run from a step of the run on the page, and reuses the steps before it. */
  async fork(point: ForkPoint): Promise<void> {
    const { live } = this;
    if (live) await this.begin(() => this.#services.runs.fork(live.id, point));
  }

  /** Takes the ended run off the page; it stays among the runs. */
  putAside(): void {
    if (this.isRunning) return;
    this.live?.close();
    this.live = null;
  }

  /** Once there is something to lose the browser is asked to keep it, where it asks nobody in turn. */
  async #keepSafe(): Promise<void> {
    const { decidesAlone, estimate, persist } = this.#services.storage;
    if (this.#hasAskedToKeep || !decidesAlone()) return;
    this.#hasAskedToKeep = true;
    if (!(await estimate())?.persisted) await persist();
  }
}
