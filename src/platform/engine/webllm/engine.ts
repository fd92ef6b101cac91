/** @file A model that WebLLM has loaded, as the rest of Podium knows engines. */
import {
  abortError,
  FaultError,
  isAbort,
  toFault,
  type EngineEvent,
  type EngineInfo,
  type Fault,
  type GenerateRequest,
  type LocalEngine,
  type ModelManifest,
} from '../../../core/contract';
import { Turns } from '../turns';
import type { CallReport } from './messages';
import type { Session } from './session';

export interface WebLlmEngineOptions {
  readonly manifest: ModelManifest;
  readonly info: EngineInfo;
  readonly session: Session;
  /** Throws a `FaultError` for a grammar that does not compile: it would stop the engine without a word. */
  readonly checkGrammar: (grammar: string) => Promise<void>;
}

export class WebLlmEngine implements LocalEngine {
  readonly manifest: ModelManifest;
  readonly info: EngineInfo;
  readonly device = 'webgpu';
  readonly lost: Promise<Fault>;
  readonly #session: Session;
  readonly #checkGrammar: (grammar: string) => Promise<void>;
  /** One call at a time: the next begins when the last has left nothing in the engine. */
  readonly #turns = new Turns();

  constructor({ manifest, info, session, checkGrammar }: WebLlmEngineOptions) {
    this.manifest = manifest;
    this.info = info;
    this.lost = session.lost;
    this.#session = session;
    this.#checkGrammar = checkGrammar;
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineEvent> {
    const leave = await this.#turns.take(signal);
    try {
      if (request.grammar !== null) await this.#checkGrammar(request.grammar);
      if (signal.aborted) throw abortError();
      for await (const report of this.#session.call(request, signal)) {
        const event = eventOf(report);
        if (event) yield event;
      }
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      const failure = thrown instanceof FaultError ? thrown.fault : toFault(thrown);
      yield { type: 'failed', fault: failure, usage: null, cost: null };
    } finally {
      // Whoever stops need not wait for the engine to stop; the next call does.
      void this.#session.idle().then(leave);
    }
  }

  dispose(): Promise<void> {
    this.#session.end(null);
    return Promise.resolve();
  }
}

function eventOf(report: CallReport): EngineEvent | null {
  switch (report.type) {
    case 'text':
      return { type: 'delta', channel: 'content', text: report.text };
    case 'finished': {
      const { usage, finishReason, speed } = report;
      // On one's own machine nothing is charged.
      return { type: 'finished', usage, cost: 0, finishReason, ...(speed ? { speed } : {}) };
    }
    case 'failed':
      return { type: 'failed', fault: report.fault, usage: null, cost: 0 };
    case 'stopped':
      // Only said to one who has stopped listening.
      return null;
    default:
      return report satisfies never;
  }
}
