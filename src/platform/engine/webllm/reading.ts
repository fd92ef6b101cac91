/**
 * @file Reports how much of a prompt WebLLM has read. WebLLM itself reports nothing before the first token.
 * It reads a prompt in several passes, and this file reports after each pass. If a call is stopped, this file
 * ends the call after the current pass. After the last pass, the answer begins, and `serve.ts` ends the call.
 */
import { abortError } from '../../../core/contract';
import type { Pipeline } from './pipeline';

/**
 * Maximum number of tokens in one pass. The model libraries allow 1,024 or more, but with such large passes,
 * most prompts would need only one or two, so hardly any progress could be reported. Much smaller passes
 * would be slow, because the GPU waits a few milliseconds between two passes.
 */
const PASS = 256;

export interface ReadingCall {
  /**
   * @param read number of the prompt's tokens that are in the cache
   * @param total number of the prompt's tokens
   */
  onread(read: number, total: number): void;
  isStopped(): boolean;
}

export class Reading {
  readonly #pipeline: Pipeline;
  #call: ReadingCall | null = null;
  /** Number of tokens of the prompt that is being read. 0 if none is being read. */
  #total = 0;
  /** The grammar of the call, which WebLLM compiles while it reads the prompt. */
  #grammar: Promise<unknown> | undefined;

  /**
   * Replaces three methods of the pipeline. Create the `KeptPrompt` first, because it replaces `getInputData`
   * too. In the opposite order, the first report would omit the cached tokens.
   */
  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
    pipeline.prefillChunkSize = Math.min(pipeline.prefillChunkSize, PASS);
    const prepare = pipeline.prepareGrammarMatcherForSampling.bind(pipeline);
    const input = pipeline.getInputData.bind(pipeline);
    const forward = pipeline.embedAndForward.bind(pipeline);
    pipeline.prepareGrammarMatcherForSampling = (settings) => (this.#grammar = prepare(settings));
    pipeline.getInputData = async () => {
      this.#total = 0;
      const prompt = await input();
      this.#total = pipeline.filledKVCacheLength + prompt[1];
      this.#report();
      return prompt;
    };
    pipeline.embedAndForward = async (parts, count) => {
      const logits = await forward(parts, count);
      if (this.#total > 0) await this.#passed();
      return logits;
    };
  }

  /** Sets the call that receives the reports about the next prompt. */
  begin(call: ReadingCall): void {
    this.#call = call;
  }

  async #passed(): Promise<void> {
    // After the last pass, WebLLM itself waits for the GPU, and the first token follows.
    if (this.#pipeline.filledKVCacheLength >= this.#total) {
      this.#total = 0;
      return;
    }
    await this.#pipeline.device.sync();
    if (this.#call?.isStopped()) {
      this.#total = 0;
      // Waits until the grammar is compiled. Otherwise, WebLLM could use it for the next call.
      await this.#grammar?.catch(() => undefined);
      // After this error, WebLLM can be called again.
      throw abortError();
    }
    this.#report();
  }

  #report(): void {
    this.#call?.onread(this.#pipeline.filledKVCacheLength, this.#total);
  }
}
