/**
 * @file Messages to a model. To avoid duplicate text, stored prompts refer to questions, subtasks and outputs, which other
 * events contain. `render.ts` restores the exact messages.
 */

import type { ReasoningLevel } from '../worker/provider';

/** A chat message as sent to a model. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** SHA-256 digests of the images, which are sent after the text. Absent: no images. */
  readonly images?: readonly string[];
}

/** A part of a prompt. `round` and `step` are indexes, from 0. */
export type PromptPart =
  | { readonly kind: 'literal'; readonly text: string }
  /**
   * A long fixed text. Storage contains the text once, under its SHA-256 digest. In memory and in exports, `text` is complete.
   */
  | { readonly kind: 'blob'; readonly hash: string; readonly text: string }
  | { readonly kind: 'question' }
  | { readonly kind: 'subtask'; readonly round: number; readonly step: number }
  | { readonly kind: 'output'; readonly round: number; readonly step: number };

/** A message as stored, whose parts may refer to texts in other events. */
export interface PromptMessage {
  readonly role: Message['role'];
  readonly parts: readonly PromptPart[];
  /** SHA-256 digests of the images sent with the message. Absent: no images. */
  readonly images?: readonly string[];
}

/** Token counts of one call. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `output` used for reasoning, if known. */
  readonly reasoning?: number;
  /** The part of `input` read from the provider's cache, if reported. */
  readonly cached?: number;
  /** Whether Podium estimated the counts, because the server reported none. */
  readonly estimated?: boolean;
}

/** Sampling parameters. */
export interface Sampling {
  readonly temperature: number;
  /** Maximum tokens of the answer, including reasoning. */
  readonly maxTokens: number;
  /** Sampling seed, for engines that support one. */
  readonly seed?: number;
  /**
   * Nucleus sampling, from 0 to 1. Absent: the model's default. `topP`, `topK` and `presencePenalty` apply only to models on
   * servers.
   */
  readonly topP?: number;
  /** Number of likeliest tokens to sample from. Absent: the model's default. */
  readonly topK?: number;
  /** Presence penalty, from -2 to 2. Absent: the model's default. */
  readonly presencePenalty?: number;
  /**
   * Default reasoning level of workers whose models are known to think. A level in the worker's setup takes precedence. Absent:
   * the model's default.
   */
  readonly reasoning?: ReasoningLevel;
  /** Set if workers think as much as they can: at the level `high`, whatever the level or the budget in their setups. */
  readonly mostThinking?: true | undefined;
}

/** The two parts of a streamed answer: the content, and the reasoning before the content. */
export type Channel = 'content' | 'reasoning';

/** Why a model stopped. `null` if the server did not report it. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other' | null;
