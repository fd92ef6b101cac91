/** @file Implements `LocalEngine` for a model that runs in a Web Worker. */
import {
  isAbort,
  toFault,
  type EngineEvent,
  type EngineInfo,
  type Fault,
  type GenerateRequest,
  type LocalEngine,
  type ModelManifest,
  type PromptProgress,
  type Usage,
} from '../../core/contract';
import type { ModelLink } from './model-link';
import type { TextReport } from './reports';

export interface WorkerEngineOptions<Command> {
  readonly manifest: ModelManifest;
  readonly info: EngineInfo;
  readonly device: LocalEngine['device'];
  /** The connection to the Web Worker. The model must already be loaded. */
  readonly link: ModelLink<Command, TextReport>;
  /**
   * Converts a request to a command. Throws a `FaultError` for an unsuitable request, such as one
   * with an invalid grammar.
   */
  readonly commandFor: (request: GenerateRequest) => Command | Promise<Command>;
}

export class WorkerEngine<Command> implements LocalEngine {
  readonly manifest: ModelManifest;
  readonly info: EngineInfo;
  readonly device: LocalEngine['device'];
  readonly lost: Promise<Fault>;
  readonly #options: WorkerEngineOptions<Command>;

  constructor(options: WorkerEngineOptions<Command>) {
    this.#options = options;
    this.manifest = options.manifest;
    this.info = options.info;
    this.device = options.device;
    this.lost = options.link.lost;
  }

  async *generate(
    request: GenerateRequest,
    signal: AbortSignal,
    onread: (progress: PromptProgress | null) => void = () => undefined,
  ): AsyncGenerator<EngineEvent> {
    const { link, commandFor } = this.#options;
    let usage: Usage | null = null;
    try {
      onread(null);
      const command = await commandFor(request);
      for await (const report of link.call(command, signal)) {
        if (report.type === 'reading') onread({ read: report.read, total: report.total });
        else {
          if (report.type === 'text') usage = report.usage ?? usage;
          yield eventOf(report, usage);
        }
      }
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      yield { type: 'failed', fault: toFault(thrown), usage, cost: 0 };
    }
  }

  dispose(): Promise<void> {
    this.#options.link.close();
    return Promise.resolve();
  }
}

/**
 * Converts a report to an event. The cost is 0, because local models are free.
 * @param usage the usage so far
 */
function eventOf(report: Exclude<TextReport, { type: 'reading' }>, usage: Usage | null): EngineEvent {
  switch (report.type) {
    case 'text':
      return { type: 'delta', channel: 'content', text: report.text, ...(usage ? { usage } : {}) };
    case 'finished': {
      const { usage, finishReason, speed } = report;
      return { type: 'finished', usage, cost: 0, finishReason, ...(speed ? { speed } : {}) };
    }
    default:
      return report satisfies never;
  }
}
