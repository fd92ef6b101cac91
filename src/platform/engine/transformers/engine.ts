/** @file A loaded transformers.js model: one answer after the other, each in a stream that can be left at any time. */
import {
  abortError,
  fault,
  FaultError,
  type EngineEvent,
  type EngineInfo,
  type Fault,
  type GenerateRequest,
  type LocalEngine,
  type ModelManifest,
} from '../../../core/contract';
import { Turns } from '../turns';
import type { Report } from './messages';
import type { WorkerLink } from './worker-link';

export interface TransformersEngineOptions {
  /** Its model is loaded. */
  readonly link: WorkerLink;
  readonly device: LocalEngine['device'];
  /** Library, version and numeric form. */
  readonly engine: string;
}

export class TransformersEngine implements LocalEngine {
  readonly manifest: ModelManifest;
  readonly device: LocalEngine['device'];
  readonly info: EngineInfo;
  readonly lost: Promise<Fault>;
  readonly #link: WorkerLink;
  readonly #turns = new Turns();
  #calls = 0;

  constructor(manifest: ModelManifest, { link, device, engine }: TransformersEngineOptions) {
    this.manifest = manifest;
    this.device = device;
    this.lost = link.lost;
    this.#link = link;
    const revision = manifest.source.kind === 'hub' ? manifest.source.revision : null;
    this.info = {
      engine,
      model: manifest.label,
      origin: null,
      enforcesGrammar: true,
      ...(revision === null ? {} : { revision }),
    };
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineEvent> {
    const leave = await this.#turns.take(signal);
    const call = this.#calls++;
    let isOver = false;
    try {
      this.#ask(call, request);
      const { patience } = this.#link;
      for (let ms = patience.firstToken; ; ms = patience.nextToken) {
        const event = eventOf(await this.#link.next(call, ms, signal));
        isOver = event.type !== 'delta';
        yield event;
        if (isOver) return;
      }
    } catch (thrown) {
      if (!(thrown instanceof FaultError)) throw thrown;
      isOver = true;
      yield { type: 'failed', fault: thrown.fault, usage: null, cost: 0 };
    } finally {
      if (isOver) leave();
      else void this.#stop(call).then(leave);
    }
  }

  dispose(): Promise<void> {
    const message = `${this.manifest.label} was unloaded while it was asked. Load it on Models and try again.`;
    this.#link.close(fault('interrupted', message));
    return Promise.resolve();
  }

  #ask(call: number, { messages, grammar, bounds = [], temperature, maxTokens, seed }: GenerateRequest): void {
    this.#link.send({
      type: 'generate',
      call,
      messages: [...messages],
      grammar,
      bounds: bounds.map((bound) => ({ ...bound, ends: [...bound.ends] })),
      temperature,
      maxTokens,
      ...(seed === undefined ? {} : { seed }),
    });
  }

  /** Resolves when the worker has let go of a call that no one listens to any more, or is lost. */
  async #stop(call: number): Promise<void> {
    const { firstToken } = this.#link.patience;
    this.#link.send({ type: 'stop', call });
    try {
      while ((await this.#link.next(call, firstToken, new AbortController().signal)).type === 'text');
    } catch {
      // The link is closed by now and says why to the next call.
    }
  }
}

function eventOf(report: Extract<Report, { readonly call: number }>): EngineEvent {
  switch (report.type) {
    case 'text':
      return { type: 'delta', channel: 'content', text: report.text };
    case 'finished': {
      const { usage, finishReason, speed } = report;
      return { type: 'finished', usage, cost: 0, finishReason, speed };
    }
    case 'failed':
      return { type: 'failed', fault: report.fault, usage: null, cost: 0 };
    case 'stopped':
      throw abortError();
    default:
      return report satisfies never;
  }
}
