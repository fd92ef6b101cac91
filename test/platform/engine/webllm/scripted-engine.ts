/**
 * @file An engine that behaves like WebLLM, with a script in place of a model. As in WebLLM, an interrupt stops
 * the current answer at its next token. An answer that is not read to its end locks the engine for good.
 */
import type { ChatCompletionChunk, ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import type { ModelManifest } from '../../../../src/core/contract';
import type { Command } from '../../../../src/platform/engine/webllm/messages';
import { serve, type Launch, type Launched, type MlcEngine } from '../../../../src/platform/engine/webllm/serve';
import type { ServePort } from '../../../../src/platform/serve-calls';
import type { CallMessage, LinkedWorker } from '../../../../src/platform/worker-link';

/** Tokens of one answer, which the test supplies step by step. */
export class Feed implements AsyncIterable<string> {
  #controller: ReadableStreamDefaultController<string> | null = null;
  readonly #stream = new ReadableStream<string>({ start: (controller) => void (this.#controller = controller) });

  push(...tokens: readonly string[]): this {
    for (const token of tokens) this.#controller?.enqueue(token);
    return this;
  }

  end(): this {
    this.#controller?.close();
    return this;
  }

  fail(reason: Error): this {
    this.#controller?.error(reason);
    return this;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#stream[Symbol.asyncIterator]();
  }
}

export class ScriptedEngine implements MlcEngine {
  readonly requests: ChatCompletionRequestStreaming[] = [];
  interrupts = 0;
  /** Number of answers that were read to their end. */
  ended = 0;
  #isLocked = false;
  #isInterrupted = false;
  readonly #answers: AsyncIterable<string>[];

  constructor(...answers: readonly AsyncIterable<string>[]) {
    this.#answers = [...answers];
  }

  readonly chat = {
    completions: {
      create: (request: ChatCompletionRequestStreaming) => {
        this.requests.push(request);
        return Promise.resolve(this.#answer(this.#answers.shift() ?? new Feed().end()));
      },
    },
  };

  interruptGenerate(): void {
    this.interrupts += 1;
    this.#isInterrupted = true;
  }

  async *#answer(tokens: AsyncIterable<string>): AsyncGenerator<ChatCompletionChunk> {
    if (this.#isLocked) throw new Error('Locked by an answer that was left in the middle.');
    this.#isLocked = true;
    this.#isInterrupted = false;
    let count = 0;
    try {
      for await (const content of tokens) {
        if (this.#isInterrupted) break;
        count += 1;
        yield chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
      }
    } catch (thrown) {
      this.#isLocked = false;
      throw thrown;
    }
    const finish_reason = this.#isInterrupted ? 'abort' : 'stop';
    yield chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
    yield chunk({ choices: [], usage: usageOf(count) });
    this.#isLocked = false;
    this.ended += 1;
  }
}

function chunk(part: Pick<ChatCompletionChunk, 'choices' | 'usage'>): ChatCompletionChunk {
  return { id: 'answer', created: 0, model: 'scripted', object: 'chat.completion.chunk', ...part };
}

function usageOf(tokens: number): ChatCompletionChunk['usage'] {
  return {
    prompt_tokens: 12,
    completion_tokens: tokens,
    total_tokens: 12 + tokens,
    extra: {
      e2e_latency_s: 3,
      prefill_tokens_per_s: 240,
      decode_tokens_per_s: tokens === 0 ? Infinity : 40,
      time_to_first_token_s: 0.05,
      time_per_output_token_s: 0.025,
      grammar_init_s: 0.25,
    },
  };
}

/** Stands in for a Web Worker: runs `serve` in the same thread, and clones every message. */
export class LocalWorker implements LinkedWorker {
  onmessage: LinkedWorker['onmessage'] = null;
  onmessageerror: LinkedWorker['onmessageerror'] = null;
  onerror: LinkedWorker['onerror'] = null;
  isTerminated = false;
  readonly #inner: ServePort<Command>;

  constructor(launch: Launch) {
    this.#inner = {
      onmessage: null,
      postMessage: (message) =>
        this.#later(() => this.onmessage?.(new MessageEvent('message', { data: structuredClone(message) }))),
    };
    serve(this.#inner, launch);
  }

  postMessage(message: CallMessage<Command>): void {
    this.#later(() => this.#inner.onmessage?.(new MessageEvent('message', { data: structuredClone(message) })));
  }

  terminate(): void {
    this.isTerminated = true;
  }

  #later(deliver: () => void): void {
    queueMicrotask(() => {
      if (!this.isTerminated) deliver();
    });
  }
}

/** Returns a launch function that provides the engine immediately. */
export function launched(engine: MlcEngine, more: Partial<Launched> = {}): Launch {
  return () =>
    Promise.resolve({
      engine,
      emptyThought: 0,
      digest: 'abcdef0123456789',
      lost: new Promise<string>(() => undefined),
      named: { label: 'Scripted', host: null },
      printed: () => '',
      context: 4096,
      bounds: { begin: () => undefined, fit: () => undefined, tokens: 0 },
      prompts: null,
      reading: { begin: () => undefined },
      templated: new Set(['system']),
      ...more,
    });
}

export const scriptedManifest: ModelManifest = {
  id: 'own:scripted',
  label: 'Scripted',
  engine: 'webllm',
  source: { kind: 'mlc', weights: 'https://models.test/a/b', library: 'https://models.test/l.wasm', revision: 'abc' },
  download: null,
  memory: null,
  context: 4096,
  licence: null,
  why: 'For tests.',
  needs: [],
  prompt: null,
  showWorkers: 'number',
};
