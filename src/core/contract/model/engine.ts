/**
 * @file The interface through which an LLM Conductor calls its model. Text engines implement this interface:
 * WebLLM, transformers.js, the browser's own model and endpoints.
 */
import type { Fault } from '../fault';
import type { FinishReason, Message, Sampling, Usage } from './message';
import type { ChannelText } from './channel-text';
import type { Waiting } from '../worker/worker';

export interface EngineInfo {
  /** Name of the engine, such as `webllm 0.2.86` or `openai-compatible`. */
  readonly engine: string;
  readonly model: string;
  readonly revision?: string;
  readonly origin?: string | null;
  /** Whether the engine enforces the grammar passed to `generate` while decoding. */
  readonly enforcesGrammar: boolean;
  /** Whether the engine enforces a JSON schema instead of a grammar. Absent: no. */
  readonly enforcesSchema?: boolean;
  /** Maximum tokens of prompt and answer together. Absent: unknown. */
  readonly contextWindow?: number;
}

/**
 * Limits the tokens of a free text. A free text is a part of the answer in which the grammar allows any
 * words.
 */
export interface TextBound {
  /** The character that opens the text. `null`: the text is at the beginning of the answer. */
  readonly opens: string | null;
  /**
   * The character that closes the text. If `opens` is not `null`, a character after a backslash does not
   * close the text.
   */
  readonly closes: string;
  /** When the tokens are used up, the engine writes the first of these ends that the grammar accepts. */
  readonly ends: readonly string[];
  readonly tokens: number;
}

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface GenerateRequest extends Sampling {
  readonly messages: readonly Message[];
  /** EBNF, or `null` for free text. */
  readonly grammar: string | null;
  /** The JSON schema that the answer must fit, for engines that enforce one. Absent: free text. */
  readonly schema?: JsonSchema;
  /** Limits for parts of the answer, in addition to the grammar. Some engines ignore these limits. */
  readonly bounds?: readonly TextBound[];
}

/** Any number of deltas, then exactly one `finished` or `failed`. */
export type EngineEvent =
  | ({
      readonly type: 'delta';
      /** The usage so far, as counted by the engine. Used if the call ends early. Absent: not counted. */
      readonly usage?: Usage;
    } & ChannelText)
  | {
      readonly type: 'finished';
      readonly usage: Usage | null;
      readonly cost: number | null;
      readonly finishReason: FinishReason;
      readonly speed?: EngineSpeed;
    }
  | { readonly type: 'failed'; readonly fault: Fault; readonly usage: Usage | null; readonly cost: number | null };

/**
 * Reports that the call waits before it is sent, or that it no longer waits.
 */
export type EngineWaiting = { readonly type: 'waiting' } & Waiting;

export interface TextEngine {
  readonly info: EngineInfo;
  /** Cancels the generation when the signal aborts or the caller leaves the loop early. An abort throws an `AbortError`. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<EngineEvent | EngineWaiting>;
}

/** The speed of one generation, as measured by the engine. `null`: not measured. */
export interface EngineSpeed {
  /** Tokens of the prompt, without cached tokens. */
  readonly promptTokens: number;
  readonly decodeTokens: number;
  /** Tokens of the prompt read per second. */
  readonly prefill: number | null;
  /** Tokens written per second. */
  readonly decode: number | null;
  /** Time until the first token, ms. */
  readonly firstToken: number | null;
  /** Time to compile the grammar and start its matcher, ms. */
  readonly grammar: number | null;
}
