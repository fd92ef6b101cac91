/**
 * @file The page's side of one worker, from its start to its end. It does not come back: whoever wants the model again starts
 * another.
 */
import {
  abortError,
  FaultError,
  type Clock,
  type Fault,
  type GenerateRequest,
  type LoadProgress,
  type ModelManifest,
} from '../../../core/contract';
import type { FolderFile } from '../folder';
import { watch, type EnginePatience } from '../watchdog';
import { crashFault, stalledDownload, stalledFault, type Named } from '../faults';
import { readReport, type CallReport, type Command, type Report } from './messages';

/** A worker, or in tests what is served without one. */
export interface WorkerPort {
  postMessage(message: Command): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

export interface SessionOptions {
  readonly port: WorkerPort;
  readonly named: Named;
  readonly clock: Clock;
  readonly patience: EnginePatience;
}

/** One call's reports, in order, as they come. */
type Inbox = ReadableStreamDefaultController<CallReport>;

/** The other end of an inbox. A read that nobody waits for any more is taken up by the next one, or its report would be lost. */
interface Reports {
  readonly reader: ReadableStreamDefaultReader<CallReport>;
  pending: Promise<ReadableStreamReadResult<CallReport>> | null;
}

export class Session {
  readonly lost: Promise<Fault>;
  readonly #options: SessionOptions;
  readonly #inboxes = new Map<number, Inbox>();
  readonly #tellLost: (fault: Fault) => void;
  readonly #over = new AbortController();
  #calls = 0;
  #idle: Promise<void> = Promise.resolve();
  #end: Fault | null = null;
  #loading: ReadableStreamDefaultController<Report> | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    let tell: (fault: Fault) => void = () => undefined;
    this.lost = new Promise((resolve) => (tell = resolve));
    this.#tellLost = tell;
    const { port, named } = options;
    port.onmessage = ({ data }) => this.#hear(readReport(data));
    // A worker that cannot even be fetched says nothing but that.
    port.onerror = ({ message }) => this.end(crashFault(named, message || 'The worker could not be started.'));
  }

  /** Resolves with the digest of the weights. Throws a `FaultError`, or an `AbortError`; the session is over then. */
  async load(
    manifest: ModelManifest,
    files: readonly FolderFile[],
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<string> {
    const reports = new ReadableStream<Report>({ start: (inbox) => void (this.#loading = inbox) }).getReader();
    this.#options.port.postMessage({ type: 'load', manifest, files: [...files] });
    let phase: LoadProgress['phase'] = 'fetching';
    try {
      for (;;) {
        const { value } = await this.#patiently(reports.read(), this.#options.patience.load, signal, (seconds) =>
          phase === 'fetching'
            ? stalledDownload(this.#options.named, seconds)
            : stalledFault(this.#options.named, seconds),
        );
        if (value?.type === 'loaded') return value.digest;
        if (value?.type !== 'progress') continue;
        phase = value.progress.phase;
        onprogress(value.progress);
      }
    } catch (thrown) {
      this.end(thrown instanceof FaultError ? thrown.fault : null);
      throw thrown;
    } finally {
      this.#loading = null;
    }
  }

  /**
   * The reports of one call, the last one being `finished` or `failed`. Leaving the loop or aborting stops the call at once;
   * `idle` tells when the engine has stopped, too. Throws a `FaultError` if the session is lost, or an `AbortError`.
   */
  async *call(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<CallReport> {
    const call = ++this.#calls;
    const { port, patience } = this.#options;
    const reports = this.#open(call);
    const { messages, grammar, temperature, maxTokens, seed } = request;
    port.postMessage({
      type: 'generate',
      call,
      messages: messages.map(({ role, content }) => ({ role, content })),
      grammar,
      temperature,
      maxTokens,
      ...(seed === undefined ? {} : { seed }),
    });
    let isEnded = false;
    try {
      let ms = patience.firstToken;
      for (;;) {
        const { value } = await this.#next(reports, ms, signal);
        if (!value) throw new FaultError(crashFault(this.#options.named, 'The call was closed.'));
        isEnded = value.type !== 'text';
        yield value;
        if (isEnded) return;
        ms = patience.nextToken;
      }
    } finally {
      if (isEnded) this.#inboxes.delete(call);
      else this.#idle = this.#stop(call, reports).finally(() => this.#inboxes.delete(call));
    }
  }

  /** Resolves when nothing of the last call is left in the engine, or the session is over because the engine did not stop. */
  idle(): Promise<void> {
    return this.#idle;
  }

  /** Ends the worker and whatever it is at. `null`: by our own wish, of which `lost` does not tell. */
  end(because: Fault | null): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#options.port.terminate();
    this.#end = because;
    const error = because ? new FaultError(because) : abortError();
    this.#loading?.error(error);
    for (const inbox of this.#inboxes.values()) inbox.error(error);
    if (because) this.#tellLost(because);
  }

  #open(call: number): Reports {
    if (this.#over.signal.aborted) throw this.#end ? new FaultError(this.#end) : abortError();
    const reports = new ReadableStream<CallReport>({ start: (inbox) => void this.#inboxes.set(call, inbox) });
    return { reader: reports.getReader(), pending: null };
  }

  /** Stops the call and waits until the engine is free again; ends it if it does not answer. */
  async #stop(call: number, reports: Reports): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#options.port.postMessage({ type: 'stop', call });
    const unstopped = new AbortController().signal;
    try {
      for (;;) {
        // A prompt that is being read cannot be interrupted, so it has the time of a first token.
        const { value } = await this.#next(reports, this.#options.patience.firstToken, unstopped);
        if (value?.type !== 'text') return;
      }
    } catch {
      // It is lost, and `lost` tells why.
    }
  }

  async #next(reports: Reports, ms: number, signal: AbortSignal): Promise<ReadableStreamReadResult<CallReport>> {
    reports.pending ??= reports.reader.read();
    const late = (seconds: number) => stalledFault(this.#options.named, seconds);
    const result = await this.#patiently(reports.pending, ms, signal, late);
    reports.pending = null;
    return result;
  }

  async #patiently<T>(
    promise: Promise<T>,
    ms: number,
    signal: AbortSignal,
    late: (seconds: number) => Fault,
  ): Promise<T> {
    const { clock } = this.#options;
    const expired = () => {
      const fault = late(Math.round(ms / 1000));
      this.end(fault);
      return fault;
    };
    return watch(promise, { ms, late: expired, clock }, signal);
  }

  #hear(report: Report): void {
    switch (report.type) {
      case 'progress':
      case 'loaded':
        this.#loading?.enqueue(report);
        return;
      case 'lost':
        this.end(report.fault);
        return;
      case 'text':
      case 'finished':
      case 'failed':
      case 'stopped':
        this.#inboxes.get(report.call)?.enqueue(report);
        return;
      default:
        report satisfies never;
    }
  }
}
