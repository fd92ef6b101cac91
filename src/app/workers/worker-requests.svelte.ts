/**
 * @file The requests that the worker form sends to the server: the worker test and the list of models. Each new request aborts
 * the previous one.
 */
import {
  isAbort,
  toFault,
  type Extras,
  type Fault,
  type ListedModel,
  type WorkerCheck,
  type WorkerSetup,
} from '../../core/contract';
import type { WorkerServices } from '../services';

/** What a server needs besides an address. */
interface Access {
  readonly key: string | null;
  readonly extras: Extras | null;
}

export class WorkerRequests {
  /** The results of the last test. */
  checks: readonly WorkerCheck[] = $state.raw([]);
  isTesting = $state(false);
  models: readonly ListedModel[] = $state.raw([]);
  isListing = $state(false);
  /** Why the last request that the user started failed. `null`: it did not fail. */
  fault: Fault | null = $state.raw(null);
  readonly #tester: WorkerServices['tester'];
  readonly #onlisted: () => Promise<void>;
  #stop = new AbortController();

  /** @param onlisted called when the models are listed, before `isListing` becomes `false` */
  constructor(tester: WorkerServices['tester'], onlisted: () => Promise<void>) {
    this.#tester = tester;
    this.#onlisted = onlisted;
  }

  /** Tests the worker with one small real call. Updates `checks` while the test runs. */
  async test(setup: WorkerSetup, { key, extras }: Access): Promise<void> {
    this.stop();
    const { signal } = this.#stop;
    this.isTesting = true;
    this.checks = [];
    this.fault = null;
    try {
      const tester = await this.#tester();
      for await (const check of tester.test(setup, key, signal, extras)) {
        this.checks = [...this.checks.filter(({ name }) => name !== check.name), check];
      }
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    } finally {
      if (!signal.aborted) this.isTesting = false;
    }
  }

  /** Lists the models of the server. @returns the reason for a failure. `null`: the request succeeded or was aborted */
  async list(baseUrl: string, { key, extras }: Access, provider: string): Promise<Fault | null> {
    this.stop();
    const { signal } = this.#stop;
    this.isListing = true;
    this.fault = null;
    try {
      const tester = await this.#tester();
      const models = await tester.models(baseUrl, key, signal, provider, extras);
      if (signal.aborted) return null;
      this.models = models;
      await this.#onlisted();
      return null;
    } catch (thrown) {
      return isAbort(thrown) || signal.aborted ? null : toFault(thrown);
    } finally {
      if (!signal.aborted) this.isListing = false;
    }
  }

  /** Aborts the request in progress. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.isTesting = false;
    this.isListing = false;
  }
}
