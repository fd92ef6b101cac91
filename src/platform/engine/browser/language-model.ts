/**
 * @file The part of the browser's Prompt API that Podium uses (https://webmachinelearning.github.io/prompt-api/). Web pages can
 * use the API since Chrome 148, on the main thread only. Only browser extensions can set sampling parameters and seeds.
 */
import type { BrowserModelAvailability } from '../../../core/contract';

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The languages of a session. The browser rejects languages that its model does not support. */
export interface SessionLanguages {
  readonly expectedInputs: readonly { readonly type: 'text'; readonly languages: readonly string[] }[];
  readonly expectedOutputs: readonly { readonly type: 'text'; readonly languages: readonly string[] }[];
}

export interface SessionOptions extends SessionLanguages {
  readonly initialPrompts?: readonly PromptMessage[];
  /** Receives the event target of the download. Each event has `loaded`, a share from 0 to 1. */
  readonly monitor?: (monitor: EventTarget) => void;
  readonly signal: AbortSignal;
}

export interface Session {
  /** @param options `responseConstraint`: a JSON schema that the answer must fit */
  promptStreaming(
    text: string,
    options: { readonly responseConstraint?: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
  ): ReadableStream<string>;
  /** Number of tokens that the session uses of its context window. Absent in older versions. */
  readonly contextUsage?: number;
  /** Maximum number of tokens of prompt and answer together. May be infinite. Absent in older versions. */
  readonly contextWindow?: number;
  /** Counts the tokens of a prompt. Absent in older versions. */
  measureContextUsage?(text: string, options: { readonly signal: AbortSignal }): Promise<number>;
  destroy(): void;
}

export interface LanguageModel {
  availability(options: SessionLanguages): Promise<BrowserModelAvailability>;
  /** The first call may download the model. The browser allows a download only after a recent click. */
  create(options: SessionOptions): Promise<Session>;
}

/** English, the language of prompts and plans. */
export const LANGUAGES: SessionLanguages = {
  expectedInputs: [{ type: 'text', languages: ['en'] }],
  expectedOutputs: [{ type: 'text', languages: ['en'] }],
};

/** The browser's own model. `null` if the browser offers none. */
export function findLanguageModel(scope: object = globalThis): LanguageModel | null {
  const found: unknown = Reflect.get(scope, 'LanguageModel');
  return isLanguageModel(found) ? found : null;
}

function isLanguageModel(value: unknown): value is LanguageModel {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && hasMethod(value, 'availability') && hasMethod(value, 'create');
}

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function';
}
