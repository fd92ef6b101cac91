/**
 * @file Enforces the bounds (maximum lengths) of texts before WebLLM samples a token. By then,
 * WebLLM has masked the scores of the tokens that the grammar forbids. This file reads the scores,
 * so that it forces only tokens that the grammar allows. It also detects scores that are not numbers.
 */
import type { LogitProcessor } from '@mlc-ai/web-llm';
import type { TextBound } from '../../../core/contract';
import { BoundedText, fitBounds } from '../bounded-text';
import type { TokenTexts } from '../token-texts';
import type { Pipeline } from './pipeline';

/** WebLLM's score for masked tokens: the lowest 32-bit floating-point number. */
const FORBIDDEN = -3.4028234663852886e38;
/** A lower score means that the token is masked, because no model computes such low scores. */
const LOWEST_ALLOWED = -1e30;

/** Thrown if the model computed scores that are not numbers. WebLLM itself would sample a meaningless token. */
class NotNumbersError extends Error {
  override readonly name = 'NotNumbersError';
}

export class BoundsProcessor implements LogitProcessor {
  readonly #texts: TokenTexts;
  #tokens = 0;
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

  /** Shortens the texts of the answer if the context has less room than the answer needs. Call it before the first token. */
  fit(needed: number, left: number): void {
    this.#bounds = fitBounds(this.#bounds, needed, left);
    this.resetState();
  }

  /** Number of tokens of the answer so far. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Whether the processor has to see the next scores: for a limit in addition to the grammar, and at the start of each answer. */
  get isNeeded(): boolean {
    return this.#tokens === 0 || this.#text.isLimited;
  }

  processLogits(logits: Float32Array): Float32Array {
    if (logits.some(Number.isNaN)) throw new NotNumbersError('The scores of the next token are NaN.');
    const limit = this.#text.narrow((token) => (logits[token] ?? FORBIDDEN) > LOWEST_ALLOWED);
    if (!limit) return logits;
    const result = limit.kind === 'only' ? new Float32Array(logits.length).fill(FORBIDDEN) : logits;
    for (const token of limit.tokens) result[token] = limit.kind === 'only' ? (logits[token] ?? FORBIDDEN) : FORBIDDEN;
    return result;
  }

  processSampledToken(token: number): void {
    this.#tokens += 1;
    this.#text.accept(token);
  }

  /** Forgets the tokens of the answer. WebLLM calls this method when it resets a conversation. */
  resetState(): void {
    this.#tokens = 0;
    this.#text = new BoundedText(this.#bounds, this.#texts);
  }
}

/**
 * Speeds up WebLLM: removes the processor for each token whose scores the processor does not have to see. With a
 * processor, WebLLM copies all scores from the GPU and back for each token.
 */
export function skipWhileUnneeded(pipeline: Pipeline, processor: BoundsProcessor): void {
  const sample = pipeline.sampleFromRawLogits.bind(pipeline);
  pipeline.sampleFromRawLogits = async (logits, settings) => {
    pipeline.logitProcessor = processor.isNeeded ? processor : undefined;
    try {
      return await sample(logits, settings);
    } finally {
      pipeline.logitProcessor = processor;
    }
  };
}
