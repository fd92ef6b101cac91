/**
 * @file Implements `LocalEngine` for the browser's own model. Each call has a separate session, so that the model sees only
 * the messages of that call. The session that loaded the model stays open, which keeps the model in memory.
 */
import {
  abortError,
  estimateTokens,
  type Clock,
  type EngineEvent,
  type EngineInfo,
  type EngineSpeed,
  type Fault,
  type GenerateRequest,
  type LocalEngine,
  type ModelManifest,
  type Usage,
} from '../../../core/contract';
import { browserFault } from './browser-faults';
import { LANGUAGES, type LanguageModel, type Session } from './language-model';

export interface BrowserEngineOptions {
  readonly manifest: ModelManifest;
  readonly model: LanguageModel;
  /** The session that keeps the model in memory. */
  readonly session: Session;
  readonly clock: Clock;
}

export class BrowserEngine implements LocalEngine {
  readonly manifest: ModelManifest;
  readonly info: EngineInfo;
  /** The browser chooses the device and doesn't report it. */
  readonly device = 'browser';
  /** Never resolves. Each call has a separate session, so a failed session affects only one call. */
  readonly lost = new Promise<Fault>(() => undefined);
  readonly #options: BrowserEngineOptions;

  constructor(options: BrowserEngineOptions) {
    const { manifest, session } = options;
    const { contextWindow } = session;
    this.#options = options;
    this.manifest = manifest;
    this.info = {
      engine: 'prompt-api',
      model: manifest.label,
      origin: null,
      enforcesGrammar: false,
      enforcesSchema: true,
      ...(contextWindow !== undefined && Number.isFinite(contextWindow) ? { contextWindow } : {}),
    };
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineEvent> {
    if (signal.aborted) throw abortError();
    let session: Session | null = null;
    try {
      const initialPrompts = request.messages.slice(0, -1).map(({ role, content }) => ({ role, content }));
      session = await this.#options.model.create({ ...LANGUAGES, initialPrompts, signal });
      yield* this.#write(session, request, signal);
    } catch (thrown) {
      if (signal.aborted) throw abortError();
      const named = { label: this.manifest.label, host: null };
      yield { type: 'failed', fault: browserFault(thrown, named), usage: null, cost: 0 };
    } finally {
      session?.destroy();
    }
  }

  async *#write(session: Session, request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineEvent> {
    const { clock } = this.#options;
    const { maxTokens, schema } = request;
    const prompt = request.messages.at(-1)?.content ?? '';
    const before = session.contextUsage;
    const added = await session.measureContextUsage?.(prompt, { signal });
    const input = before === undefined || added === undefined ? null : before + added;
    const startedAt = clock.monotonic();
    let firstAt: number | null = null;
    let text = '';
    let isCutOff = false;
    const options = { signal, ...(schema ? { responseConstraint: schema } : {}) };
    for await (const piece of piecesOf(session.promptStreaming(prompt, options))) {
      firstAt ??= clock.monotonic();
      text += piece;
      yield { type: 'delta', channel: 'content', text: piece };
      // The Prompt API can't limit the length of an answer, so the answer is cut off here.
      isCutOff = estimateTokens(text) >= maxTokens;
      if (isCutOff) break;
    }
    const usage = input === null ? null : usageOf(session, input, text);
    const speed = usage && firstAt !== null ? speedOf(usage, { startedAt, firstAt, endedAt: clock.monotonic() }) : null;
    yield {
      type: 'finished',
      usage,
      cost: 0,
      finishReason: isCutOff ? 'length' : 'stop',
      ...(speed ? { speed } : {}),
    };
  }

  dispose(): Promise<void> {
    this.#options.session.destroy();
    return Promise.resolve();
  }
}

/** Reads a stream. Leaving the loop early cancels the stream. */
async function* piecesOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The usage of an answer. If the session has not counted the answer's tokens, they are estimated. */
function usageOf({ contextUsage = 0 }: Session, input: number, text: string): Usage {
  const output = contextUsage - input;
  return output > 0 ? { input, output } : { input, output: estimateTokens(text), estimated: true };
}

function speedOf(
  { input, output }: Usage,
  { startedAt, firstAt, endedAt }: { readonly startedAt: number; readonly firstAt: number; readonly endedAt: number },
): EngineSpeed {
  const seconds = (endedAt - firstAt) / 1000;
  return {
    promptTokens: input,
    decodeTokens: output,
    prefill: null,
    decode: seconds > 0 ? output / seconds : null,
    firstToken: firstAt - startedAt,
    grammar: null,
  };
}
