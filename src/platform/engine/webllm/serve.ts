/**
 * @file Runs a WebLLM engine in a Web Worker and handles the messages from the page. This file
 * imports only WebLLM's types, so that tests can use a scripted engine.
 */
import type { ChatCompletionChunk, ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import {
  FaultError,
  toFault,
  type Fault,
  type EngineSpeed,
  type FinishReason,
  type Usage,
} from '../../../core/contract';
import { createPrefixRemover } from './empty-thought';
import { deviceLostFault, type Named } from '../engine-faults';
import { callFault } from './webllm-faults';
import type { ModelReport, TextReport } from '../reports';
import type { GenerateCommand } from '../generate-command';
import type { BoundsProcessor } from './bounds-processor';
import type { KeptPrompt, ReadPrompt } from './kept-prompt';
import { ReadingStopped, type Reading } from './reading';
import { readCommand, type LoadCommand } from './messages';

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

type Report = ModelReport | TextReport;

/** A Web Worker's global scope, or one end of a `MessageChannel`. */
export interface ServePort {
  postMessage(message: Report): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
}

export function serve(port: ServePort, launch: Launch): void {
  const report = (message: Report) => port.postMessage(message);
  let launched: Launched | null = null;
  const stopped = new Set<number>();

  async function load(command: LoadCommand): Promise<void> {
    try {
      const loaded = await launch(command, report);
      launched = loaded;
      report({ type: 'loaded', what: loaded.digest });
      void loaded.lost.then((words) => report({ type: 'lost', fault: deviceLostFault(loaded.named, words) }));
    } catch (thrown) {
      report({ type: 'lost', fault: faultOf(thrown) });
    }
  }

  async function generate(command: GenerateCommand): Promise<void> {
    const { call } = command;
    try {
      if (!launched) throw new Error('A call arrived before the model was loaded.');
      const last = await write(launched, command, { isStopped: () => stopped.has(call), report });
      report(last);
    } catch (thrown) {
      if (!launched) throw thrown;
      if (thrown instanceof ReadingStopped) return report({ type: 'stopped', call });
      const { fault, isWell } = callFault(thrown, launched.named, launched.printed());
      report(isWell ? { type: 'failed', call, fault } : { type: 'lost', fault });
    } finally {
      stopped.delete(call);
    }
  }

  port.onmessage = ({ data }) => {
    const command = readCommand(data);
    switch (command.type) {
      case 'load':
        void load(command);
        return;
      case 'generate':
        void generate(command);
        return;
      case 'stop':
        stopped.add(command.call);
        launched?.engine.interruptGenerate();
        return;
      default:
        command satisfies never;
    }
  };
}

function faultOf(thrown: unknown): Fault {
  return thrown instanceof FaultError ? thrown.fault : toFault(thrown);
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
  { isStopped, report }: { isStopped: () => boolean; report: (report: TextReport) => void },
): Promise<TextReport> {
  const { engine, emptyThought, bounds, prompts, reading, context } = launched;
  const { call } = command;
  if (isStopped()) return { type: 'stopped', call };
  bounds.begin(command.bounds);
  let promptTokens = 0;
  const onread = (read: number, total: number) => {
    if (total !== promptTokens) bounds.fit(command.maxTokens, context - total);
    promptTokens = total;
    report({ type: 'reading', call, read, total });
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
    if (text !== '' && !isStopped()) report({ type: 'text', call, text, ...soFar });
    finishReason = choice?.finish_reason ?? finishReason;
    usage = chunk.usage ?? usage;
  }
  if (isStopped()) return { type: 'stopped', call };
  return {
    type: 'finished',
    call,
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
