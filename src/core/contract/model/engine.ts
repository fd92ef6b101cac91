/** @file Text engines: the interface that an LLM Conductor uses for WebLLM, transformers.js or an endpoint. */
import type { Fault } from '../fault';
import type { Channel, FinishReason, Message, Sampling, Usage } from './message';
import type { Waiting } from '../worker/worker';

export interface EngineInfo {
  /** `webllm 0.2.86`, `openai-compatible`, … */
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
 * Limits the tokens of one free text: a part of the answer whose words the grammar leaves open. JSON escapes are respected: an
 * escaped quote does not close the text.
 */
export interface TextBound {
  /** The character that opens the text. `null`: the text starts with the answer. */
  readonly opens: string | null;
  /** The character that closes the text. */
  readonly closes: string;
  /** Possible ends of the text. When the tokens are used up, the first end that the grammar accepts is written. */
  readonly ends: readonly string[];
  readonly tokens: number;
}

/** A JSON schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface GenerateRequest extends Sampling {
  readonly messages: readonly Message[];
  /** EBNF, or `null` for free text. */
  readonly grammar: string | null;
  /** The JSON schema that the answer must fit, for engines that enforce one. Absent: free text. */
  readonly schema?: JsonSchema;
  /**
   * Limits for parts of the text, enforced with the grammar by engines that support this. Other engines may cut the answer off.
   */
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

/**
 * Reports that the call has not been sent yet. Like a call to a worker, it may wait for a limit, or for its turn on this machine.
 */
export type EngineWaiting = { readonly type: 'waiting' } & Waiting;

export interface TextEngine {
  readonly info: EngineInfo;
  /** Cancels the request upstream when the signal aborts or the loop is left early. An abort throws an `AbortError`. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<EngineEvent | EngineWaiting>;
}

/** The speed of one generation, as measured by the engine. `null`: not measured. */
export interface EngineSpeed {
  /** Tokens of the prompt that the engine read, without cached tokens. */
  readonly promptTokens: number;
  /** Tokens that the engine wrote. */
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
