/**
 * @file What is said to a model. A prompt is stored as parts, so that no text is kept twice: a question, a subtask and an
 * output stand in their own events and a prompt only refers to them. `render.ts` gives the exact bytes again.
 */

/** A chat message as it is sent. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** SHA-256 of the images that go with it, after the text. Absent: none. */
  readonly images?: readonly string[];
}

/** A piece of a prompt. Rounds and steps are 0-based. */
export type PromptPart =
  | { readonly kind: 'literal'; readonly text: string }
  /** A long fixed text. The store keeps its bytes once, under their SHA-256; in memory and in exports the text is here. */
  | { readonly kind: 'blob'; readonly hash: string; readonly text: string }
  | { readonly kind: 'question' }
  | { readonly kind: 'subtask'; readonly round: number; readonly step: number }
  | { readonly kind: 'output'; readonly round: number; readonly step: number };

/** A message before its references are filled in. */
export interface PromptMessage {
  readonly role: Message['role'];
  readonly parts: readonly PromptPart[];
  /** SHA-256 of the images that go with it. Absent: none. */
  readonly images?: readonly string[];
}

/** Tokens of one call, as the other side counted them; `estimated` where it did not say and we did. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `output` that was reasoning, where known. */
  readonly reasoning?: number;
  /** The part of `input` that was read from a cache of the provider's, where it says so. */
  readonly cached?: number;
  readonly estimated?: boolean;
}

/** How a model is sampled. */
export interface Sampling {
  readonly temperature: number;
  /** Most tokens of the answer, reasoning included. */
  readonly maxTokens: number;
  /** Where the engine has one. */
  readonly seed?: number;
}

/** Two streams in one: what counts, and what was thought before it. */
export type Channel = 'content' | 'reasoning';

/** Why a model stopped. `null` where the other side did not say. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other' | null;
