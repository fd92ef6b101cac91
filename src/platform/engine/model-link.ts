/**
 * @file The page's end of a worker that holds a model, from its start to its end. Whatever is awaited from the worker is
 * watched: it may answer, say that it failed, crash, or fall silent. Once it is lost it is ended, and every wait says why. It
 * does not come back: whoever wants the model again starts another.
 */
import { abortError, FaultError, type Clock, type Fault, type LoadProgress } from '../../core/contract';
import { crashFault, stalledDownload, stalledFault, unloadedFault, type Named } from './engine-faults';
import type { ModelReport } from './reports';
import { Turns } from './turns';
import { watch, type EnginePatience } from './watchdog';

export interface StopCommand {
  readonly type: 'stop';
  readonly call: number;
}

/** A `Worker`, or in tests what is served without one. It answers a `StopCommand` with the last report of that call. */
export interface ModelWorker<Command> {
  postMessage(message: Command | StopCommand): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onmessageerror: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

/** Said of one call. What is not `text` is the last of it. */
export interface CallReport {
  readonly type: string;
  readonly call: number;
}

export interface ModelLinkOptions<Command, Report extends CallReport> {
  readonly worker: ModelWorker<Command>;
  /** Throws on what is not one of the worker's reports. */
  readonly read: (data: unknown) => ModelReport | Report;
  readonly named: Named;
  readonly clock: Clock;
  readonly patience: EnginePatience;
}

type Arrived<Report> = Exclude<ModelReport, { type: 'lost' }> | Report;

export class ModelLink<Command, Report extends CallReport> {
  /** Resolves with why, if the worker is lost; never if it is closed. */
  readonly lost: Promise<Fault>;
  readonly #options: ModelLinkOptions<Command, Report>;
  /** One call at a time: the next begins when the last has left nothing in the engine. */
  readonly #turns = new Turns();
  #inbox: Arrived<Report>[] = [];
  #ended: Fault | null = null;
  #wake: () => void = () => undefined;
  #sayLost: (because: Fault) => void = () => undefined;

  constructor(options: ModelLinkOptions<Command, Report>) {
    this.#options = options;
    this.lost = new Promise((resolve) => (this.#sayLost = resolve));
    const { worker, named } = options;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onmessageerror = () => this.#lose(crashFault(named, UNREADABLE));
    // A worker that cannot even be fetched says nothing but that.
    worker.onerror = ({ message }) => this.#lose(crashFault(named, message || 'The worker could not be started.'));
  }

  /**
   * Resolves with what was loaded, once it can be asked. Throws a `FaultError` or an `AbortError`; the worker is ended then.
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
   * What is said of one call, in its turn, to the last report. Leaving the loop or aborting stops the call at once for the
   * caller; the next call waits until the engine has stopped, too. Throws a `FaultError` if the worker is lost or closed, or an
   * `AbortError`.
   */
  async *call(command: Command & { readonly call: number }, signal: AbortSignal): AsyncGenerator<Report> {
    const leave = await this.#turns.take(signal);
    const { call } = command;
    const { firstToken, nextToken } = this.#options.patience;
    let isOver = false;
    try {
      this.#send(command);
      for (let ms = firstToken; !isOver; ms = nextToken) {
        const report = await this.#nextOf(call, ms, signal);
        isOver = report.type !== 'text';
        yield report;
      }
    } finally {
      if (isOver) leave();
      else void this.#stop(call).then(leave);
    }
  }

  /** Ends the worker, which frees the GPU. Whoever still waits is told that the model was unloaded. */
  close(): void {
    this.#end(unloadedFault(this.#options.named));
  }

  #lose(because: Fault): void {
    if (this.#end(because)) this.#sayLost(because);
  }

  /** @returns false where it had ended before */
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

  #hear(data: unknown): void {
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

  /** Resolves when the worker has let go of a call that no one listens to any more, or is lost. */
  async #stop(call: number): Promise<void> {
    this.#send({ type: 'stop', call });
    const unstopped = new AbortController().signal;
    try {
      // A prompt that is being read cannot be interrupted, so it has the time of a first token.
      while ((await this.#nextOf(call, this.#options.patience.firstToken, unstopped)).type === 'text');
    } catch {
      // It is lost, and `lost` tells why.
    }
  }

  async #nextOf(call: number, ms: number, signal: AbortSignal): Promise<Report> {
    for (;;) {
      const report = await this.#next(ms, signal, (seconds) => stalledFault(this.#options.named, seconds));
      if (isOfCall(report) && report.call === call) return report;
    }
  }

  /**
   * The oldest report that nobody has taken. It stays in the inbox until it is: a wait that is left at that moment loses nothing.
   * @param ms longest silence; after it the worker is lost, for what `late` says
   */
  async #next(ms: number, signal: AbortSignal, late: (seconds: number) => Fault): Promise<Arrived<Report>> {
    const { clock } = this.#options;
    const giveUp = () => {
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
      await watch(news, { ms, late: giveUp, clock }, signal);
    }
  }
}

const UNREADABLE = 'A message could not be read.';

function isOfCall<Report extends CallReport>(report: ModelReport | Report): report is Report {
  return 'call' in report;
}
