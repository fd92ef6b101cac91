/**
 * @file Enforces a grammar during generation. After each token, web-xgrammar computes which tokens may follow. The scores of
 * all other tokens are masked.
 */
import { LogitsProcessor, type Tensor } from '@huggingface/transformers';
import type { GrammarCompiler, GrammarMatcher } from '@mlc-ai/web-xgrammar';
import { FaultError, type Fault, type TextBound } from '../../../core/contract';
import { checkGrammar } from '../grammar-check';
import { BoundedText, type NextTokens } from '../bounded-text';
import { TokenTexts, tokenTexts, type Vocabulary } from '../token-texts';
import { loadXGrammar } from '../xgrammar';

export interface GrammarsOptions {
  readonly vocabulary: Vocabulary;
  /** Length of the model's logits. May exceed the number of tokens. */
  readonly size: number;
  /** Tokens that end an answer. */
  readonly ends: readonly number[];
}

/** Creates masks for the tokens of one model. Each answer gets a new mask. */
export class Grammars {
  readonly #compiler: GrammarCompiler;
  readonly #size: number;
  readonly #texts: TokenTexts;

  private constructor(compiler: GrammarCompiler, size: number, texts: TokenTexts) {
    this.#compiler = compiler;
    this.#size = size;
    this.#texts = texts;
  }

  static async create({ vocabulary, size, ends }: GrammarsOptions): Promise<Grammars> {
    const { GrammarCompiler, TokenizerInfo } = await loadXGrammar();
    const { tokens, encoding } = vocabulary;
    const info = await TokenizerInfo.createTokenizerInfo([...tokens], encoding, false, size, [...ends]);
    const compiler = await GrammarCompiler.createGrammarCompiler(info);
    return new Grammars(compiler, size, new TokenTexts(() => tokenTexts(vocabulary)));
  }

  /**
   * Creates the mask of one answer. Dispose of it after the answer. Throws a `FaultError` (`bad-request`) for an invalid
   * grammar.
   * @param stuck returns the fault that is thrown if the grammar allows no token
   */
  async mask(grammar: string, bounds: readonly TextBound[], stuck: () => Fault): Promise<GrammarMask> {
    await checkGrammar(grammar);
    const { GrammarMatcher } = await loadXGrammar();
    const compiled = await this.#compiler.compileGrammar(grammar);
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
    compiled.dispose();
    const first = await matcher.getNextTokenBitmask();
    return new GrammarMask({ matcher, size: this.#size, first, stuck, bounded: new BoundedText(bounds, this.#texts) });
  }
}

interface MaskOptions {
  readonly matcher: GrammarMatcher;
  readonly size: number;
  readonly first: Int32Array;
  readonly bounded: BoundedText;
  readonly stuck: () => Fault;
}

/** The state of one answer in its grammar. Masks the scores of all tokens that must not come next. */
export class GrammarMask extends LogitsProcessor {
  readonly #options: MaskOptions;
  #bits: Int32Array;
  #next: Promise<Int32Array> | null = null;

  constructor(options: MaskOptions) {
    super();
    this.#options = options;
    this.#bits = options.first;
  }

  /** Starts to compute which tokens may follow a new token. The model processes the new token at the same time. */
  accept(token: bigint): void {
    const { matcher, bounded, stuck } = this.#options;
    if (!matcher.acceptToken(Number(token))) throw new FaultError(stuck());
    bounded.accept(Number(token));
    if (!matcher.isTerminated()) this.#next = matcher.getNextTokenBitmask();
  }

  /**
   * Resolves when the scores of the next token can be masked. Await it before `_call`, which is synchronous.
   */
  async ready(): Promise<void> {
    if (this.#next) {
      const bits = await this.#next;
      const limit = this.#options.bounded.narrow((token) => isSet(bits, token));
      this.#bits = limit ? limited(bits, limit) : bits;
    }
    this.#next = null;
  }

  override _call(_tokens: bigint[][], logits: Tensor): Tensor {
    const scores = logits.data;
    if (!(scores instanceof Float32Array)) throw new TypeError('The scores are not 32-bit numbers.');
    const { size, stuck } = this.#options;
    let isStuck = true;
    for (let first = 0; first < scores.length; first += 32) {
      const allowed = first < size ? (this.#bits[first >> 5] ?? 0) : 0;
      if (allowed !== 0) isStuck = false;
      // Most 32-bit words allow all of their tokens or none, so these cases are handled without a loop.
      if (allowed === -1 && first + 32 <= size) continue;
      if (allowed === 0) scores.fill(Number.NEGATIVE_INFINITY, first, first + 32);
      else strikeOut(scores, first, allowed, size);
    }
    if (isStuck) throw new FaultError(stuck());
    return logits;
  }

  dispose(): void {
    this.#options.matcher.dispose();
  }
}

/**
 * Masks the scores of forbidden tokens in one 32-bit word.
 * @param allowed a bit for each of the 32 scores from `first` on. Scores from `size` on are always masked
 */
function strikeOut(scores: Float32Array, first: number, allowed: number, size: number): void {
  for (let bit = 0; bit < 32 && first + bit < scores.length; bit++) {
    if (first + bit >= size || ((allowed >>> bit) & 1) === 0) scores[first + bit] = Number.NEGATIVE_INFINITY;
  }
}

function isSet(bits: Int32Array, token: number): boolean {
  return ((bits[token >> 5] ?? 0) & (1 << (token & 31))) !== 0;
}

/**
 * Applies a limit to a copy of the bits. The tokens of an `only` limit are not checked against the bits,
 * because `BoundedText` chose only tokens that the grammar allows.
 */
function limited(bits: Int32Array, { kind, tokens }: NextTokens): Int32Array {
  const result = kind === 'only' ? new Int32Array(bits.length) : bits.slice();
  for (const token of tokens) {
    const bit = 1 << (token & 31);
    const word = result[token >> 5] ?? 0;
    result[token >> 5] = kind === 'only' ? word | bit : word & ~bit;
  }
  return result;
}
