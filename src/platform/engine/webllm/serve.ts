/**
 * @file The worker's side: runs an engine for the page. Apart from the engine itself, so that tests can serve one that is
 * scripted.
 */
import type { ChatCompletionChunk, ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import { FaultError, toFault, type Fault } from '../../../core/contract';
import { createPrefixRemover } from './empty-thought';
import { deviceLostFault, type Named } from '../engine-faults';
import { callFault } from './webllm-faults';
import type { ModelReport, TextReport } from '../reports';
import { readCommand, type GenerateCommand, type LoadCommand } from './messages';
import { finishReasonOf, readUsage } from './usage';

/** What is used of WebLLM's engine. */
export interface MlcEngine {
  readonly chat: {
    readonly completions: {
      create(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>>;
    };
  };
  interruptGenerate(): unknown;
}

/** An engine that has its model. */
export interface Launched {
  readonly engine: MlcEngine;
  /** Whether the model thinks before it answers unless it is told not to. */
  readonly canThink: boolean;
  readonly digest: string;
  /** Resolves with why, if the GPU is taken away. */
  readonly lost: Promise<string>;
  readonly named: Named;
}

export type Launch = (command: LoadCommand, report: (report: ModelReport) => void) => Promise<Launched>;

type Report = ModelReport | TextReport;

/** A worker's own global scope, or one end of a `MessageChannel`. */
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
      if (!launched) throw new Error('A call came before the model.');
      const last = await write(launched, command, { isStopped: () => stopped.has(call), report });
      report(last);
    } catch (thrown) {
      if (!launched) throw thrown;
      const { fault, isWell } = callFault(thrown, launched.named);
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
 * One answer, read to its end even where it is stopped: an answer that is left in the middle keeps WebLLM's lock, and one that is
 * interrupted without being streamed spoils the next.
 * @returns the last word on the call
 */
async function write(
  { engine, canThink }: Launched,
  command: GenerateCommand,
  { isStopped, report }: { isStopped: () => boolean; report: (report: TextReport) => void },
): Promise<TextReport> {
  const { call } = command;
  if (isStopped()) return { type: 'stopped', call };
  const chunks = await engine.chat.completions.create(requestFor(command, canThink));
  const visible = createPrefixRemover(canThink);
  let finishReason: ChatCompletionChunk.Choice['finish_reason'] = null;
  let usage: ChatCompletionChunk['usage'];
  for await (const chunk of chunks) {
    // Said again with every chunk: what was said before the answer began is forgotten when it begins.
    if (isStopped()) engine.interruptGenerate();
    const choice = chunk.choices[0];
    const text = visible(choice?.delta.content ?? '');
    if (text !== '' && !isStopped()) report({ type: 'text', call, text });
    finishReason = choice?.finish_reason ?? finishReason;
    usage = chunk.usage ?? usage;
  }
  if (isStopped()) return { type: 'stopped', call };
  return { type: 'finished', call, finishReason: finishReasonOf(finishReason), ...readUsage(usage) };
}

function requestFor(command: GenerateCommand, canThink: boolean): ChatCompletionRequestStreaming {
  const { messages, grammar, temperature, maxTokens, seed } = command;
  return {
    messages,
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    max_tokens: maxTokens,
    ...(seed === undefined ? {} : { seed }),
    ...(grammar === null ? {} : { response_format: { type: 'grammar', grammar } }),
    ...(canThink ? { extra_body: { enable_thinking: false } } : {}),
  };
}
