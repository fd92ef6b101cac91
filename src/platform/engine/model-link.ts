/**
 * @file The page's connection to a Web Worker that runs a model. Every wait for the Web Worker has a time limit, because the Web
 * Worker may stop responding. After the limit or a crash, the Web Worker counts as lost. Then it is terminated, and every pending
 * wait rejects with the reason.
 */
import { FaultError, toFault, type Clock, type Fault, type LoadProgress } from '../../core/contract';
import { WorkerLink, type LinkedWorker } from '../worker-link';
import { codeFault } from './code-fault';
import { crashFault, lateFault, stalledDownload, stalledFault, type Named } from './engine-faults';
import type { ModelReport } from './reports';
import { Turns } from './turns';
import { unloadedFault } from './unloaded-fault';
import { watch, type EnginePatience } from './watchdog';

export interface ModelLinkOptions<Report> {
  readonly worker: LinkedWorker;
  /** Parses a report of the Web Worker. Throws for any other data. */
  readonly read: (data: unknown) => ModelReport | Report;
  readonly named: Named;
  readonly clock: Clock;
  readonly patience: EnginePatience;
}

export class ModelLink<Command, Report extends { readonly type: string }> {
  /** Resolves with the fault if the Web Worker is lost. Never resolves if the link is closed before that. */
  readonly lost: Promise<Fault>;
  readonly #options: ModelLinkOptions<Report>;
  readonly #link: WorkerLink<Command, ModelReport | Report>;
  /** Calls run one at a time. */
  readonly #turns = new Turns();
  #ended: Fault | null = null;
  #resolveLost: (because: Fault) => void = () => undefined;

  constructor(options: ModelLinkOptions<Report>) {
    this.#options = options;
    this.lost = new Promise((resolve) => (this.#resolveLost = resolve));
    const { worker, named, read } = options;
    this.#link = new WorkerLink({
      start: () => worker,
      read,
      errorOf: ({ detail }) => {
        // A Web Worker whose script cannot be fetched reports an error without a message.
        const because = detail
          ? crashFault(named, detail)
          : codeFault(named, navigator.onLine, 'The Web Worker of the model couldn’t be started.');
        this.#lose(because);
        return new FaultError(because);
      },
      keep: Infinity,
      // `#drain` limits the time.
      patience: () => new Promise(() => undefined),
    });
  }

  /**
   * Loads the model. Resolves with a description of the model when the model can be called. If loading fails, terminates the Web
   * Worker and throws a `FaultError` or an `AbortError`.
   */
  async load(command: Command, onprogress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<string> {
    const { named, patience } = this.#options;
    let stalled = stalledDownload;
    const life = this.#link.call(command, new AbortController().signal);
    try {
      for (;;) {
        const report = await this.#next(life, patience.load, signal, (seconds) => stalled(named, seconds));
        if (!report) throw new FaultError(crashFault(named, 'The model reported nothing.'));
        if (!isOfModel(report)) continue;
        if (report.type === 'loaded') {
          void this.#follow(life);
          return report.what;
        }
        if (report.progress.phase !== 'fetching') stalled = stalledFault;
        onprogress(report.progress);
      }
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /**
   * Waits until the earlier calls have ended, and then yields the reports of one call. If the caller leaves the loop or aborts,
   * the Web Worker stops the call, and the next call begins only after that. Throws a `FaultError` if the Web Worker is lost or
   * the link is closed, and an `AbortError` if the signal aborts.
   */
  async *call(command: Command, signal: AbortSignal): AsyncGenerator<Report> {
    const release = await this.#turns.acquire(signal);
    const { firstToken, nextToken, answer } = this.#options.patience;
    const { clock, named } = this.#options;
    const stop = new AbortController();
    const reports = this.#link.call(command, stop.signal);
    let isOver = false;
    try {
      const startedAt = clock.monotonic();
      for (let ms = firstToken; ;) {
        const report = await this.#nextOf(reports, ms, signal);
        isOver = report === null;
        if (!report) return;
        // Until the model has read its prompt, the limit for the first token applies.
        if (report.type !== 'reading') ms = nextToken;
        if (isOfModel(report)) continue;
        yield report;
        const isLate = clock.monotonic() - startedAt > answer;
        // The model still responds, so only the call is stopped.
        if (isLate && (report.type === 'reading' || report.type === 'text'))
          throw new FaultError(lateFault(named, answer / 60_000));
      }
    } finally {
      stop.abort();
      if (isOver) release();
      else void this.#drain(reports).then(release);
    }
  }

  /** Terminates the Web Worker, which frees the GPU. Pending waits reject with `unloadedFault`. */
  close(): void {
    this.#end(unloadedFault(this.#options.named));
  }

  #lose(because: Fault): void {
    if (this.#end(because)) this.#resolveLost(because);
  }

  /**
   * Terminates the Web Worker and ends all waits.
   * @returns false if the link had already ended
   */
  #end(because: Fault): boolean {
    if (this.#ended) return false;
    this.#ended = because;
    this.#link.close(new FaultError(because));
    return true;
  }

  /** Resolves when the Web Worker has stopped an abandoned call, or is lost. */
  async #drain(reports: AsyncIterator<ModelReport | Report>): Promise<void> {
    const unstopped = new AbortController().signal;
    try {
      // Reading a part of a prompt cannot be interrupted, so each wait may be as long as the wait for the first token.
      while (await this.#nextOf(reports, this.#options.patience.firstToken, unstopped));
    } catch {
      // The call has failed, the Web Worker is lost or the link is closed, so the call has ended.
    }
  }

  /** Reads the rest of the call that has loaded the model. The call fails when the model can no longer be used. */
  async #follow(life: AsyncIterator<ModelReport | Report>): Promise<void> {
    try {
      while (!(await life.next()).done);
    } catch (thrown) {
      this.#lose(toFault(thrown));
    }
  }

  #nextOf(reports: AsyncIterator<ModelReport | Report>, ms: number, signal: AbortSignal) {
    return this.#next(reports, ms, signal, (seconds) => stalledFault(this.#options.named, seconds));
  }

  /**
   * The next report of a call, or `null` if the call has ended.
   * @param ms longest wait. After that time, the Web Worker counts as lost, with the fault that `late` returns
   */
  async #next(
    reports: AsyncIterator<ModelReport | Report>,
    ms: number,
    signal: AbortSignal,
    late: (seconds: number) => Fault,
  ): Promise<ModelReport | Report | null> {
    if (this.#ended) throw new FaultError(this.#ended);
    const timeOut = () => {
      const because = late(Math.round(ms / 1000));
      this.#lose(because);
      return because;
    };
    const { done, value } = await watch(reports.next(), { ms, late: timeOut, clock: this.#options.clock }, signal);
    return done ? null : value;
  }
}

function isOfModel<Report extends { readonly type: string }>(report: ModelReport | Report): report is ModelReport {
  return report.type === 'progress' || report.type === 'loaded';
}
