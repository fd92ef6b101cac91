/** @file Tracks a long-running task: its progress, whether the user stopped it, and its fault. */
import { isAbort, toFault, type Fault, type ProgressListener } from '../../core/contract';

export class LongWork {
  /** The task in progress, as a phrase like "Writing the backup". `''`: none. */
  doing = $state('');
  /** Progress from 0 to 1. */
  progress = $state(0);
  fault: Fault | null = $state.raw(null);
  /** Whether the last task was stopped. */
  wasStopped = $state(false);
  #controller: AbortController | null = null;

  get isBusy(): boolean {
    return this.doing !== '';
  }

  /** Runs a task, unless another task is in progress. @returns the result. `null`: the task did not run, failed or was stopped */
  async do<Result>(
    doing: string,
    work: (signal: AbortSignal, onprogress: ProgressListener) => Promise<Result>,
  ): Promise<Result | null> {
    if (this.isBusy) return null;
    const controller = new AbortController();
    this.#controller = controller;
    this.doing = doing;
    this.progress = 0;
    this.fault = null;
    this.wasStopped = false;
    try {
      return await work(controller.signal, (done, of) => (this.progress = of > 0 ? done / of : 1));
    } catch (thrown) {
      if (controller.signal.aborted || isAbort(thrown)) this.wasStopped = true;
      else this.fault = toFault(thrown);
      return null;
    } finally {
      this.doing = '';
      this.#controller = null;
    }
  }

  stop(): void {
    this.#controller?.abort();
  }
}
