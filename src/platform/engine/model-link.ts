/**
 * @file The page's connection to a Web Worker that runs a model. Every wait for the Web Worker has a time limit, because the Web
 * Worker may stop responding. After the limit or a crash, the Web Worker counts as lost. Then it is terminated, and every pending
 * wait rejects with the reason.
 */
import { abortError, FaultError, type Clock, type Fault, type LoadProgress } from '../../core/contract';
import { codeFault } from './code-fault';
import { crashFault, lateFault, stalledDownload, stalledFault, type Named } from './engine-faults';
import type { ModelReport } from './reports';
import { Turns } from './turns';
import { unloadedFault } from './unloaded-fault';
import { watch, type EnginePatience } from './watchdog';

export interface StopCommand {
  readonly type: 'stop';
  readonly call: number;
}

/** A `Worker`, or a substitute in tests. It answers a `StopCommand` with the last report on the stopped call. */
export interface ModelWorker<Command> {
  postMessage(message: Command | StopCommand): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onmessageerror: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

/** A report on one call. Each call ends with a report of a type other than `reading` and `text`. */
export interface CallReport {
  readonly type: string;
  readonly call: number;
}

export interface ModelLinkOptions<Command, Report extends CallReport> {
  readonly worker: ModelWorker<Command>;
  /** Parses a report of the Web Worker. Throws for any other data. */
  readonly read: (data: unknown) => ModelReport | Report;
  readonly named: Named;
  readonly clock: Clock;
  readonly patience: EnginePatience;
}

type Arrived<Report> = Exclude<ModelReport, { type: 'lost' }> | Report;

export class ModelLink<Command, Report extends CallReport> {
  /** Resolves with the fault if the Web Worker is lost. Never resolves if the link is closed before that. */
  readonly lost: Promise<Fault>;
  readonly #options: ModelLinkOptions<Command, Report>;
  /** Calls run one at a time. */
  readonly #turns = new Turns();
  #inbox: Arrived<Report>[] = [];
  #ended: Fault | null = null;
  #wake: () => void = () => undefined;
  #resolveLost: (because: Fault) => void = () => undefined;

  constructor(options: ModelLinkOptions<Command, Report>) {
    this.#options = options;
    this.lost = new Promise((resolve) => (this.#resolveLost = resolve));
    const { worker, named } = options;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onmessageerror = () => this.#lose(crashFault(named, UNREADABLE));
    worker.onerror = ({ message }) => {
      // A Web Worker whose script cannot be fetched reports an error without a message.
      if (message) this.#lose(crashFault(named, message));
      else this.#lose(codeFault(named, navigator.onLine, 'The Web Worker of the model couldn’t be started.'));
    };
  }

  /**
   * Loads the model. Resolves with a description of the model when the model can be called. If loading fails, terminates the Web
   * Worker and throws a `FaultError` or an `AbortError`.
   */
  async load(command: Command, onprogress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<string> {
    const { named, patience } = this.#options;
    let stalled = stalledDownload;
    try {
      this.#send(command);
      for (;;) {
        const report = await this.#next(patience.load, signal, (seconds) => stalled(named, seconds));
        if (isOfCall(report)) continue;
        if (report.type === 'loaded') return report.what;
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
  async *call(command: Command & { readonly call: number }, signal: AbortSignal): AsyncGenerator<Report> {
    const release = await this.#turns.acquire(signal);
    const { call } = command;
    const { firstToken, nextToken, answer } = this.#options.patience;
    const { clock, named } = this.#options;
    let isOver = false;
    try {
      this.#send(command);
      const startedAt = clock.monotonic();
      for (let ms = firstToken; !isOver;) {
        const report = await this.#nextOf(call, ms, signal);
        // Until the model has read its prompt, the limit for the first token applies.
        if (report.type !== 'reading') ms = nextToken;
        isOver = isLast(report);
        yield report;
        // The model still responds, so only the call is stopped.
        if (!isOver && clock.monotonic() - startedAt > answer) throw new FaultError(lateFault(named, answer / 60_000));
      }
    } finally {
      if (isOver) release();
      else void this.#stop(call).then(release);
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
    this.#options.worker.terminate();
    this.#inbox = [];
    this.#wake();
    return true;
  }

  #send(command: Command | StopCommand): void {
    if (!this.#ended) this.#options.worker.postMessage(command);
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    const report = this.#read(data);
    if (!report) {
      this.#lose(crashFault(this.#options.named, UNREADABLE));
    } else if (!isOfCall(report) && report.type === 'lost') {
      this.#lose(report.fault);
    } else {
      this.#inbox.push(report);
      this.#wake();
    }
  }

  #read(data: unknown): ModelReport | Report | null {
    try {
      return this.#options.read(data);
    } catch {
      return null;
    }
  }

  /** Resolves when the Web Worker has stopped an abandoned call, or is lost. */
  async #stop(call: number): Promise<void> {
    this.#send({ type: 'stop', call });
    const unstopped = new AbortController().signal;
    try {
      // Reading a part of a prompt cannot be interrupted, so each wait may be as long as the wait for the first token.
      while (!isLast(await this.#nextOf(call, this.#options.patience.firstToken, unstopped)));
    } catch {
      // The Web Worker is lost or the link is closed, so the call has ended.
    }
  }

  async #nextOf(call: number, ms: number, signal: AbortSignal): Promise<Report> {
    for (;;) {
      const report = await this.#next(ms, signal, (seconds) => stalledFault(this.#options.named, seconds));
      if (isOfCall(report) && report.call === call) return report;
    }
  }

  /**
   * The oldest unread report. A report stays in the inbox until it is returned, so that an aborted wait loses nothing.
   * @param ms longest wait. After that time, the Web Worker counts as lost, with the fault that `late` returns
   */
  async #next(ms: number, signal: AbortSignal, late: (seconds: number) => Fault): Promise<Arrived<Report>> {
    const { clock } = this.#options;
    const timeOut = () => {
      const because = late(Math.round(ms / 1000));
      this.#lose(because);
      return because;
    };
    for (;;) {
      if (signal.aborted) throw abortError();
      if (this.#ended) throw new FaultError(this.#ended);
      const report = this.#inbox.shift();
      if (report) return report;
      const news = new Promise<void>((resolve) => (this.#wake = resolve));
      await watch(news, { ms, late: timeOut, clock }, signal);
    }
  }
}

const UNREADABLE = 'A message could not be read.';

function isLast({ type }: CallReport): boolean {
  return type !== 'reading' && type !== 'text';
}

function isOfCall<Report extends CallReport>(report: ModelReport | Report): report is Report {
  return 'call' in report;
}
