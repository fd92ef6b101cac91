/** @file The state of the page of a batch. Also starts, pauses and stops the batch, and stores the user's grades. */
import {
  isAbort,
  toFault,
  type Batch,
  type BatchProgress,
  type Fault,
  type LiveBatch,
  type Outcome,
  type Unit,
} from '../../core/contract';
import type { EvaluationDesk } from '../services';

/** Minimum interval between reads of the outcomes while the batch runs, ms. */
const READ_EVERY = 1_000;
/**
 * Maximum share of the time that reads of the outcomes may take. A read takes longer in a large batch, so reads
 * are less frequent there.
 */
const READ_SHARE = 0.1;
/** Polling interval for a batch that runs in another tab, ms. */
const ELSEWHERE_EVERY = 3_000;

type Needed = Pick<EvaluationDesk, 'batches' | 'runner'>;

export class BatchState {
  batch: Batch | null = $state.raw(null);
  /** `null` until it is loaded. */
  progress: BatchProgress | null = $state.raw(null);
  outcomes: readonly Outcome[] = $state.raw([]);
  /** Whether the outcomes are loaded. */
  isLoaded = $state(false);
  isMissing = $state(false);
  /** Whether the batch runs in this tab. */
  isLive = $state(false);
  /** Whether the batch is pausing or stopping, and waits for its current runs. */
  isEnding = $state(false);
  /** Why the newest read or action failed. `null` if it succeeded. */
  fault: Fault | null = $state.raw(null);

  readonly id: string;
  readonly #desk: Needed;
  #live: LiveBatch | null = null;
  #unsubscribe: () => void = () => undefined;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** How long the last read of the outcomes took, ms. */
  #readTime = 0;
  /** Number of started reads of the outcomes. */
  #reads = 0;
  /** The number of the read that returned `outcomes`. */
  #shownRead = 0;
  #isClosed = false;

  constructor(desk: Needed, id: string) {
    this.#desk = desk;
    this.id = id;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      this.batch = await this.#desk.batches.get(this.id);
      this.isMissing = this.batch === null;
      if (!this.batch) return;
      const live = this.#desk.runner.live(this.id);
      if (live) this.#follow(live);
      else await this.#readProgress();
      await this.#readOutcomes();
    });
  }

  /** Starts or continues the batch. */
  async start(): Promise<void> {
    await this.#begin(() => this.#desk.runner.start(this.id));
  }

  async retryFailed(): Promise<void> {
    await this.#begin(() => this.#desk.runner.retryFailed(this.id));
  }

  /** Changes the money cap, and continues the batch. @param usd US dollars. `null`: no cap */
  async raiseCap(usd: number | null): Promise<void> {
    const { batch } = this;
    if (!batch) return;
    await this.#begin(async () => {
      const raised: Batch = { ...batch, plan: { ...batch.plan, usd } };
      await this.#desk.batches.put(raised);
      this.batch = raised;
      return this.#desk.runner.start(this.id);
    });
  }

  /** Starts no more runs. Current runs finish. */
  pause(): void {
    this.isEnding = this.isLive;
    this.#live?.pause();
  }

  /** Starts no more runs and aborts current runs. */
  stop(): void {
    this.isEnding = this.isLive;
    this.#live?.stop();
  }

  /** Reads the outcomes and the progress again, after the verdicts have changed. */
  async reload(): Promise<void> {
    await this.#try(async () => {
      await this.#readOutcomes();
      if (!this.#live) await this.#readProgress();
    });
  }

  /** Stores the user's grade of a unit. A unit is one repeat of a task with a method. */
  async grade(unit: Unit, correct: boolean): Promise<void> {
    await this.#try(async () => {
      await this.#desk.runner.grade(this.id, unit, correct);
      await this.#readOutcomes();
      if (!this.#live) await this.#readProgress();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #begin(start: () => Promise<LiveBatch>): Promise<void> {
    await this.#try(async () => this.#follow(await start()));
  }

  #follow(live: LiveBatch): void {
    this.#unsubscribe();
    this.#live = live;
    this.isLive = true;
    this.isEnding = false;
    this.progress = live.progress;
    this.#unsubscribe = live.subscribe((progress) => {
      this.progress = progress;
      this.#readSoon();
    });
    void live.done.then((progress) => this.#ended(live, progress));
  }

  async #ended(live: LiveBatch, progress: BatchProgress): Promise<void> {
    if (this.#isClosed || this.#live !== live) return;
    this.#unsubscribe();
    this.#live = null;
    this.isLive = false;
    this.isEnding = false;
    this.progress = progress;
    await this.#try(() => this.#readOutcomes());
  }

  /** Reads the outcomes after a delay. Another call during the delay has no effect. */
  #readSoon(): void {
    const delay = Math.max(READ_EVERY, this.#readTime / READ_SHARE);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#try(() => this.#readOutcomes());
    }, delay);
  }

  async #readProgress(): Promise<void> {
    this.progress = await this.#desk.runner.progress(this.id);
    if (this.progress.status !== 'running' || this.#isClosed) return;
    // The batch runs in another tab, so its progress is polled.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#try(async () => {
        await this.#readOutcomes();
        if (!this.#live) await this.#readProgress();
      });
    }, ELSEWHERE_EVERY);
  }

  async #readOutcomes(): Promise<void> {
    const began = performance.now();
    this.#reads += 1;
    const read = this.#reads;
    const outcomes = await this.#desk.batches.outcomes(this.id);
    this.#readTime = performance.now() - began;
    // Reads can overlap. An older read must not replace the outcomes of a newer one.
    if (this.#isClosed || read < this.#shownRead) return;
    this.#shownRead = read;
    this.outcomes = outcomes;
    this.isLoaded = true;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.fault = null;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }
}
