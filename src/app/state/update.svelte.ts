/** @file An update of Podium: whether it is ready, and what it waits for. */
import { isAbort, toFault, type AppUpdates, type Fault } from '../../core/contract';
import type { AppServices } from '../services';
import type { AppState } from './app-state.svelte';

/** The states of the work that a reload would interrupt. */
type Work = Pick<AppState, 'openedBackups' | 'openedRunFiles' | 'openedTraining'>;

export class UpdateState {
  /** Whether a newer version can be used. */
  isReady = $state(false);
  /** Why the newer version can't be used now, as a sentence. `''` if it can be used. */
  waitsFor = $state('');
  /** The current work. `null`: none. */
  doing: 'checking' | 'updating' | null = $state(null);
  /** Whether the last check found no newer version. */
  isNewest = $state(false);
  fault: Fault | null = $state.raw(null);

  readonly #load: AppServices['app']['updates'];
  readonly #work: Work;
  readonly #closing = new AbortController();
  #unsubscribe: () => void = () => undefined;

  constructor({ app }: Pick<AppServices, 'app'>, work: Work) {
    this.#load = app.updates;
    this.#work = work;
  }

  async watch(): Promise<void> {
    try {
      const updates = await this.#load();
      if (this.#closing.signal.aborted) return;
      this.#unsubscribe = updates.subscribe(() => (this.isReady = updates.isReady));
      this.isReady = updates.isReady;
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  async check(): Promise<void> {
    this.isNewest = false;
    await this.#try('checking', async (updates) => {
      this.isNewest = !(await updates.check());
    });
  }

  /** Switches to the newer version. If the reload would interrupt work, sets `waitsFor` instead. */
  async apply(): Promise<void> {
    await this.#try('updating', async (updates) => {
      this.waitsFor = await this.#ownWork();
      if (this.waitsFor !== '') return;
      if (await updates.isIdle()) return updates.apply();
      this.waitsFor = 'A run or a batch is in progress.';
      void this.#offerWhenIdle(updates);
    });
  }

  close(): void {
    this.#closing.abort();
    this.#unsubscribe();
  }

  async #offerWhenIdle(updates: AppUpdates): Promise<void> {
    try {
      await updates.whenIdle(this.#closing.signal);
      this.waitsFor = '';
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }

  /** A sentence about work in this tab, apart from runs and batches. `''`: there is no such work. */
  async #ownWork(): Promise<string> {
    const { openedBackups, openedRunFiles } = this.#work;
    if (openedBackups?.work.isBusy || openedRunFiles?.work.isBusy) return 'An import or export is in progress.';
    if ((await this.#work.openedTraining())?.work) return 'Training is in progress.';
    return '';
  }

  async #try(doing: NonNullable<UpdateState['doing']>, work: (updates: AppUpdates) => Promise<void>): Promise<void> {
    if (this.doing !== null) return;
    this.doing = doing;
    this.fault = null;
    try {
      await work(await this.#load());
    } catch (thrown) {
      this.fault = toFault(thrown);
    } finally {
      this.doing = null;
    }
  }
}
