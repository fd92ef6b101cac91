/**
 * @file Enforces a grammar while a model writes: after each token web-xgrammar tells which tokens may follow, and the scores
 * of all others are struck out.
 */
import { LogitsProcessor, type Tensor } from '@huggingface/transformers';
import type { GrammarCompiler, GrammarMatcher } from '@mlc-ai/web-xgrammar';
import { FaultError, type Fault } from '../../../core/contract';
import { checkGrammar } from '../grammar-check';
import { loadXGrammar } from '../xgrammar';
import type { Vocabulary } from './vocabulary';

export interface GrammarsOptions {
  readonly vocabulary: Vocabulary;
  /** Length of the model's logits; may be more than there are tokens. */
  readonly size: number;
  /** Tokens that end an answer. */
  readonly ends: readonly number[];
}

/** Knows one model's tokens; makes a mask for each answer. */
export class Grammars {
  readonly #compiler: GrammarCompiler;
  readonly #size: number;

  private constructor(compiler: GrammarCompiler, size: number) {
    this.#compiler = compiler;
    this.#size = size;
  }

  static async create({ vocabulary, size, ends }: GrammarsOptions): Promise<Grammars> {
    const { GrammarCompiler, TokenizerInfo } = await loadXGrammar();
    const { tokens, encoding } = vocabulary;
    const info = await TokenizerInfo.createTokenizerInfo([...tokens], encoding, false, size, [...ends]);
    return new Grammars(await GrammarCompiler.createGrammarCompiler(info), size);
  }

  /** Throws a `FaultError` (`bad-request`) where the grammar has a mistake. Dispose of the mask. */
  async mask(grammar: string, stuck: () => Fault): Promise<GrammarMask> {
    await checkGrammar(grammar);
    const { GrammarMatcher } = await loadXGrammar();
    const compiled = await this.#compiler.compileGrammar(grammar);
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
    compiled.dispose();
    return new GrammarMask(matcher, this.#size, await matcher.getNextTokenBitmask(), stuck);
  }
}

/** One answer's place in its grammar. A bit is set for each token that may follow. */
export class GrammarMask extends LogitsProcessor {
  readonly #matcher: GrammarMatcher;
  readonly #size: number;
  readonly #stuck: () => Fault;
  #bits: Int32Array;
  #next: Promise<Int32Array> | null = null;

  constructor(matcher: GrammarMatcher, size: number, first: Int32Array, stuck: () => Fault) {
    super();
    this.#matcher = matcher;
    this.#size = size;
    this.#bits = first;
    this.#stuck = stuck;
  }

  /** Takes note of what was written and begins to work out what may follow, while the model is busy with it. */
  accept(token: bigint): void {
    if (!this.#matcher.acceptToken(Number(token))) throw new FaultError(this.#stuck());
    if (!this.#matcher.isTerminated()) this.#next = this.#matcher.getNextTokenBitmask();
  }

  /** Resolves when the scores can be masked, which is asked for in the same breath and cannot wait. */
  async ready(): Promise<void> {
    if (this.#next) this.#bits = await this.#next;
    this.#next = null;
  }

  override _call(_tokens: bigint[][], logits: Tensor): Tensor {
    const scores = logits.data;
    if (!(scores instanceof Float32Array)) throw new TypeError('The scores are not 32-bit numbers.');
    let allowed = 0;
    for (let token = 0; token < scores.length; token++) {
      const word = token < this.#size ? (this.#bits[token >> 5] ?? 0) : 0;
      if ((word >>> (token & 31)) & 1) allowed++;
      else scores[token] = Number.NEGATIVE_INFINITY;
    }
    if (allowed === 0) throw new FaultError(this.#stuck());
    return logits;
  }

  dispose(): void {
    this.#matcher.dispose();
  }
}
