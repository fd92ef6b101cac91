/**
 * @file Runs a WebLLM engine in a Web Worker and handles the messages from the page. This file
 * imports only WebLLM's types, so that tests can use a scripted engine.
 */
import type { ChatCompletionChunk, ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import { abortError, type EngineSpeed, type FinishReason, type Usage } from '../../../core/contract';
import type { ServedCall, ServePort } from '../../serve-calls';
import { createPrefixRemover } from './empty-thought';
import { deviceLostFault, type Named } from '../engine-faults';
import { callFault } from './webllm-faults';
import type { ModelReport, TextReport } from '../reports';
import { serveModel } from '../serve-model';
import type { GenerateCommand } from '../generate-command';
import type { BoundsProcessor } from './bounds-processor';
import type { KeptPrompt, ReadPrompt } from './kept-prompt';
import type { Reading } from './reading';
import { readCommand, type Command, type LoadCommand } from './messages';

/** The part of WebLLM's engine that Podium uses. */
export interface MlcEngine {
  readonly chat: {
    readonly completions: {
      create(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>>;
    };
  };
  interruptGenerate(): unknown;
}

/** An engine with a loaded model. */
export interface Launched {
  readonly engine: MlcEngine;
  /**
   * Number of tokens of the empty thought (see `empty-thought.ts`). 0 if the model doesn't think by
   * default.
   */
  readonly emptyThought: number;
  readonly digest: string;
  /** Resolves with the reason if the GPU is lost. */
  readonly lost: Promise<string>;
  readonly named: Named;
  /** Returns the error that the library has printed since the last call, or `''`. */
  printed(): string;
  readonly bounds: Pick<BoundsProcessor, 'begin' | 'fit' | 'tokens'>;
  /** Maximum number of tokens of the prompt and the answer together. */
  readonly context: number;
  /** Provides the token counts of the last prompt. `null`: WebLLM reads each prompt completely. */
  readonly prompts: Pick<KeptPrompt, 'last'> | null;
  readonly reading: Pick<Reading, 'begin'>;
  /** The roles whose messages WebLLM inserts into a template. */
  readonly templated: ReadonlySet<string>;
}

export type Launch = (command: LoadCommand, report: (report: ModelReport) => void) => Promise<Launched>;

/** Serves the calls that arrive at the port: a Web Worker's global scope, or a substitute in tests. */
export function serve(port: ServePort<Command>, launch: Launch): void {
  serveModel<LoadCommand, GenerateCommand, Launched, TextReport>(port, {
    read: readCommand,
    async load(command, report, lose) {
      const model = await launch(command, report);
      void model.lost.then((words) => lose(deviceLostFault(model.named, words)));
      return { model, what: model.digest };
    },
    use: write,
    faultOf: (thrown, { named, printed }) => callFault(thrown, named, printed()),
  });
}

/**
 * Generates one answer. If the user stops the call, this function interrupts WebLLM, but reads the stream to
 * its end. If the stream were not read to its end, WebLLM would keep its lock, and the next answer would
 * break.
 * @returns the last report of the call
 */
async function write(
  launched: Launched,
  command: GenerateCommand,
  { signal, report }: Pick<ServedCall<TextReport>, 'signal' | 'report'>,
): Promise<TextReport> {
  const { engine, emptyThought, bounds, prompts, reading, context } = launched;
  const isStopped = () => signal.aborted;
  if (isStopped()) throw abortError();
  signal.addEventListener('abort', () => void engine.interruptGenerate());
  bounds.begin(command.bounds);
  let promptTokens = 0;
  const onread = (read: number, total: number) => {
    if (total !== promptTokens) bounds.fit(command.maxTokens, context - total);
    promptTokens = total;
    report({ type: 'reading', read, total });
  };
  reading.begin({ onread, isStopped });
  const chunks = await engine.chat.completions.create(requestFor(command, launched));
  const visible = createPrefixRemover(emptyThought > 0);
  let finishReason: ChatCompletionChunk.Choice['finish_reason'] = null;
  let usage: ChatCompletionChunk['usage'];
  for await (const chunk of chunks) {
    // The interrupt is repeated for each chunk, because WebLLM ignores an interrupt that arrives
    // before the answer begins.
    if (isStopped()) engine.interruptGenerate();
    const choice = chunk.choices[0];
    const text = visible(choice?.delta.content ?? '');
    const soFar = promptTokens > 0 ? { usage: { input: promptTokens, output: bounds.tokens } } : {};
    if (text !== '' && !isStopped()) report({ type: 'text', text, ...soFar });
    finishReason = choice?.finish_reason ?? finishReason;
    usage = chunk.usage ?? usage;
  }
  if (isStopped()) throw abortError();
  return {
    type: 'finished',
    finishReason: finishReasonOf(finishReason),
    ...readUsage(usage, prompts?.last ?? null),
  };
}

function requestFor(command: GenerateCommand, { emptyThought, templated }: Launched): ChatCompletionRequestStreaming {
  const { messages, grammar, temperature, maxTokens, seed } = command;
  return {
    // WebLLM inserts these messages into a template with `String.replace`, which treats `$$` and
    // `$&` as special patterns. Formulas may contain these patterns, so each `$` is doubled.
    messages: messages.map(({ role, content }) => ({
      role,
      content: templated.has(role) ? content.replaceAll('$', '$$$$') : content,
    })),
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    max_tokens: maxTokens + emptyThought,
    ...(seed === undefined ? {} : { seed }),
    ...(grammar === null ? {} : { response_format: { type: 'grammar', grammar } }),
    ...(emptyThought > 0 ? { extra_body: { enable_thinking: false } } : {}),
  };
}

/**
 * Reads usage and speed. WebLLM's count omits the tokens of the prompt that were cached, but `usage.input` includes them.
 * @param prompt the token counts of the whole prompt. `null`: nothing was cached
 */
function readUsage(
  usage: ChatCompletionChunk['usage'],
  prompt: ReadPrompt | null,
): {
  readonly usage: Usage | null;
  readonly speed: EngineSpeed | null;
} {
  if (!usage) return { usage: null, speed: null };
  const { prompt_tokens, completion_tokens, extra } = usage;
  return {
    usage: { input: prompt?.tokens ?? prompt_tokens, output: completion_tokens },
    speed: {
      promptTokens: prompt_tokens,
      decodeTokens: completion_tokens,
      prefill: measured(extra.prefill_tokens_per_s),
      decode: measured(extra.decode_tokens_per_s),
      firstToken: measured(extra.time_to_first_token_s * 1000),
      grammar: extra.grammar_init_s === undefined ? null : measured(extra.grammar_init_s * 1000),
    },
  };
}

/** A rate is not finite if the measured time is 0. */
function measured(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function finishReasonOf(reason: ChatCompletionChunk.Choice['finish_reason']): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
      return reason;
    case 'tool_calls':
    case 'abort':
      return 'other';
    case null:
      return null;
    default:
      return reason satisfies never;
  }
}
