/**
 * @file Messages to a model. A prompt is stored in parts to avoid duplicate text: questions, subtasks and outputs are
 * stored in their own events, and prompts refer to them. `render.ts` restores the exact messages.
 */

import type { ReasoningLevel } from '../worker/provider';

/** A chat message as sent. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** SHA-256 of the images sent after the text. Absent: no images. */
  readonly images?: readonly string[];
}

/** A part of a prompt. Rounds and steps are 0-based. */
export type PromptPart =
  | { readonly kind: 'literal'; readonly text: string }
  /**
   * A long fixed text. The store keeps the text once, under its SHA-256. In memory and in exports, `text` holds the text.
   */
  | { readonly kind: 'blob'; readonly hash: string; readonly text: string }
  | { readonly kind: 'question' }
  | { readonly kind: 'subtask'; readonly round: number; readonly step: number }
  | { readonly kind: 'output'; readonly round: number; readonly step: number };

/** A message before its references are resolved. */
export interface PromptMessage {
  readonly role: Message['role'];
  readonly parts: readonly PromptPart[];
  /** SHA-256 of the images sent with the message. Absent: no images. */
  readonly images?: readonly string[];
}

/**
 * Tokens of one call as reported by the server. `estimated`: the server reported none, so Podium estimated them.
 */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `output` used for reasoning, if known. */
  readonly reasoning?: number;
  /** The part of `input` read from the provider's cache, if reported. */
  readonly cached?: number;
  readonly estimated?: boolean;
}

/** Sampling parameters. */
export interface Sampling {
  readonly temperature: number;
  /** Maximum tokens of the answer, including reasoning. */
  readonly maxTokens: number;
  /** The seed of the sampling, for engines that support a seed. */
  readonly seed?: number;
  /** Nucleus sampling, from 0 to 1. Absent: the model's default. Only servers receive `topP`, `topK` and `presencePenalty`. */
  readonly topP?: number;
  /** The number of likeliest tokens to choose from. Absent: the model's default. */
  readonly topK?: number;
  /** Presence penalty, from -2 to 2. Absent: the model's default. */
  readonly presencePenalty?: number;
  /**
   * How much a worker thinks if its setup sets no level and its model is known to think. Absent: the model's default.
   */
  readonly reasoning?: ReasoningLevel;
}

/** The two streams of an answer: its content, and the reasoning before it. */
export type Channel = 'content' | 'reasoning';

/** Why a model stopped. `null` if the server did not report it. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other' | null;
