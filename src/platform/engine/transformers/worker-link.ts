/**
 * @file The page's end of a worker with a model. Whatever is awaited from the worker is watched: it may answer, say that it
 * failed, crash, or fall silent. Once it is lost it is ended, and every wait says why.
 */
import { FaultError, type Clock, type Fault, type LoadProgress } from '../../../core/contract';
import { watch, type EnginePatience } from '../watchdog';
import { crashFault, stalledDownload, stalledFault, type Named } from '../faults';
import { readReport, type Command, type LoadCommand, type Report } from './messages';

export interface WorkerLinkOptions {
  readonly named: Named;
  readonly clock: Clock;
  readonly patience: EnginePatience;
}

type CallReport = Extract<Report, { readonly call: number }>;

interface Waiting {
  resolve(report: Report): void;
  reject(because: FaultError): void;
}

export class WorkerLink {
  readonly patience: EnginePatience;
  /** Resolves with why, if the worker is lost; never if it is closed. */
  readonly lost: Promise<Fault>;
  readonly #worker: Worker;
  readonly #options: WorkerLinkOptions;
  #sayLost: (because: Fault) => void = () => undefined;
  #inbox: Report[] = [];
  /** There is one wait at a time: for the model, then for one answer after the other. */
  #waiting: Waiting | null = null;
  #ended: Fault | null = null;

  constructor(worker: Worker, options: WorkerLinkOptions) {
    this.#worker = worker;
    this.#options = options;
    this.patience = options.patience;
    this.lost = new Promise((resolve) => (this.#sayLost = resolve));
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(readReport(data)));
    worker.addEventListener('messageerror', () => this.lose(crashFault(options.named, 'A message could not be read.')));
    worker.addEventListener('error', ({ message }: Partial<ErrorEvent>) => {
      this.lose(crashFault(options.named, message ?? 'The worker could not be started.'));
    });
  }

  send(command: Command): void {
    if (!this.#ended) this.#worker.postMessage(command);
  }

  /** Waits until the model can be asked; gives the engine's name. Throws a `FaultError` or an `AbortError`. */
  async load(command: LoadCommand, onprogress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<string> {
    const { named, patience } = this.#options;
    const seconds = Math.round(patience.load / 1000);
    let late = stalledDownload(named, seconds);
    this.send(command);
    for (;;) {
      const report = await this.#next(patience.load, () => late, signal);
      if (report.type === 'loaded') return report.engine;
      if (report.type !== 'progress') continue;
      if (report.progress.phase !== 'fetching') late = stalledFault(named, seconds);
      onprogress(report.progress);
    }
  }

  /**
   * The next that is said of a call.
   * @param ms longest silence; after it the worker is lost
   */
  async next(call: number, ms: number, signal: AbortSignal): Promise<CallReport> {
    for (;;) {
      const late = () => stalledFault(this.#options.named, Math.round(ms / 1000));
      const report = await this.#next(ms, late, signal);
      if ('call' in report && report.call === call) return report;
    }
  }

  /** Ends the worker, since it is lost. */
  lose(because: Fault): void {
    if (this.#ended) return;
    this.close(because);
    this.#sayLost(because);
  }

  /** Ends the worker, which frees the GPU. `because` is what a wait that is still on is told. */
  close(because: Fault): void {
    if (this.#ended) return;
    this.#ended = because;
    this.#worker.terminate();
    this.#inbox = [];
    this.#waiting?.reject(new FaultError(because));
    this.#waiting = null;
  }

  async #next(ms: number, late: () => Fault, signal: AbortSignal): Promise<Report> {
    if (this.#ended) throw new FaultError(this.#ended);
    const arrived = this.#inbox.shift();
    if (arrived) return arrived;
    const promise = new Promise<Report>((resolve, reject) => (this.#waiting = { resolve, reject }));
    try {
      return await watch(promise, { ms, late, clock: this.#options.clock }, signal);
    } catch (thrown) {
      if (thrown instanceof FaultError) this.lose(thrown.fault);
      throw thrown;
    } finally {
      this.#waiting = null;
    }
  }

  #receive(report: Report): void {
    if (this.#ended) return;
    if (report.type === 'lost') {
      this.lose(report.fault);
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) waiting.resolve(report);
    else this.#inbox.push(report);
  }
}
