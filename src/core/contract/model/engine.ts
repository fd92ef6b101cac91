/**
 * @file Engines that write text: what one LLM Conductor needs of WebLLM, transformers.js or an endpoint.
 */
import type { Fault } from '../fault';
import type { Channel, FinishReason, Message, Sampling, Usage } from './message';
import type { Waiting } from '../worker/worker';

export interface EngineInfo {
  /** `webllm 0.2.86`, `openai-compatible`, … */
  readonly engine: string;
  readonly model: string;
  readonly revision?: string;
  readonly origin?: string | null;
  /** Whether the grammar given to `generate` is really enforced while decoding. */
  readonly enforcesGrammar: boolean;
}

/**
 * Text that a grammar leaves open and that is to end after so many tokens. JSON's escapes are known: a quote after a backslash
 * closes nothing.
 */
export interface TextBound {
  /** The character that opens it; `null`: the beginning of the answer. */
  readonly opens: string | null;
  /** The character that closes it. */
  readonly closes: string;
  /** What is written once the tokens are spent; the first that the grammar takes there. */
  readonly ends: readonly string[];
  readonly tokens: number;
}

export interface GenerateRequest extends Sampling {
  readonly messages: readonly Message[];
  /** EBNF; `null` for free text. */
  readonly grammar: string | null;
  /** Kept by engines that can, beside the grammar; elsewhere an answer may be cut off. */
  readonly bounds?: readonly TextBound[];
}

/** Any number of deltas, then exactly one `finished` or `failed`. */
export type EngineEvent =
  | { readonly type: 'delta'; readonly channel: Channel; readonly text: string }
  | {
      readonly type: 'finished';
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly finishReason: FinishReason;
      readonly speed?: EngineSpeed;
    }
  | { readonly type: 'failed'; readonly fault: Fault; readonly usage: Usage | null; readonly cost: number | null };

/** A call that is held back before it leaves, as a worker's is; only engines elsewhere have to wait. */
export type EngineWaiting = { readonly type: 'waiting' } & Waiting;

export interface TextEngine {
  readonly info: EngineInfo;
  /** Stops upstream when the signal aborts or the loop is left; an abort throws an `AbortError`. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<EngineEvent | EngineWaiting>;
}

/** Tokens a second and times in ms of one generation, as the engine measured them. */
export interface EngineSpeed {
  readonly promptTokens: number;
  readonly decodeTokens: number;
  readonly prefill: number | null;
  readonly decode: number | null;
  readonly firstToken: number | null;
  /** Compiling the grammar and starting its matcher. */
  readonly grammar: number | null;
}
