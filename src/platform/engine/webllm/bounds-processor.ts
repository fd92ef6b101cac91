/**
 * @file Enforces the bounds (maximum lengths) of texts before WebLLM samples a token. By then,
 * WebLLM has masked the scores of the tokens that the grammar forbids. This file reads the scores,
 * so that it forces only tokens that the grammar allows.
 */
import type { LogitProcessor } from '@mlc-ai/web-llm';
import type { TextBound } from '../../../core/contract';
import { BoundedText } from '../bounded-text';
import type { TokenTexts } from '../token-texts';
import type { Pipeline } from './pipeline';

/** WebLLM's score for masked tokens: the lowest 32-bit floating-point number. */
const FORBIDDEN = -3.4028234663852886e38;
/** A lower score means that the token is masked, because no model computes such low scores. */
const LOWEST_ALLOWED = -1e30;

export class BoundsProcessor implements LogitProcessor {
  readonly #texts: TokenTexts;
  #bounds: readonly TextBound[] = [];
  #text: BoundedText;

  constructor(texts: TokenTexts) {
    this.#texts = texts;
    this.#text = new BoundedText([], texts);
  }

  /** Sets the bounds of the next answer. */
  begin(bounds: readonly TextBound[]): void {
    this.#bounds = bounds;
    this.resetState();
  }

  /** Whether the next token has a limit in addition to the grammar. */
  get isLimited(): boolean {
    return this.#text.isLimited;
  }

  processLogits(logits: Float32Array): Float32Array {
    const limit = this.#text.narrow((token) => (logits[token] ?? FORBIDDEN) > LOWEST_ALLOWED);
    if (!limit) return logits;
    const result = limit.kind === 'only' ? new Float32Array(logits.length).fill(FORBIDDEN) : logits;
    for (const token of limit.tokens) result[token] = limit.kind === 'only' ? (logits[token] ?? FORBIDDEN) : FORBIDDEN;
    return result;
  }

  processSampledToken(token: number): void {
    this.#text.accept(token);
  }

  /** Forgets the tokens of the answer. WebLLM calls this method when it resets a conversation. */
  resetState(): void {
    this.#text = new BoundedText(this.#bounds, this.#texts);
  }
}

/**
 * Speeds up WebLLM: removes the processor for each token whose scores the processor would not change. With a
 * processor, WebLLM copies all scores from the GPU and back for each token.
 */
export function skipWhileUnlimited(pipeline: Pipeline, processor: BoundsProcessor): void {
  const sample = pipeline.sampleFromRawLogits.bind(pipeline);
  pipeline.sampleFromRawLogits = async (logits, settings) => {
    pipeline.logitProcessor = processor.isLimited ? processor : undefined;
    try {
      return await sample(logits, settings);
    } finally {
      pipeline.logitProcessor = processor;
    }
  };
}
