/**
 * @file Reports how much of a prompt WebLLM has read. WebLLM reports nothing before the first token, but it reads a prompt in
 * several passes, each with a part of the tokens. This file counts the passes.
 */
import type { Pipeline } from './pipeline';

/**
 * Most tokens of one pass. The libraries allow 1,024 or more, so most prompts would be read in one or two passes. Between two
 * passes, the GPU waits a few milliseconds, so the passes are not much smaller.
 */
const PASS = 256;

/** @param read tokens in the cache, @param total tokens of the prompt */
type OnRead = (read: number, total: number) => void;

export class Reading {
  readonly #pipeline: Pipeline;
  #onread: OnRead = () => undefined;
  /** Tokens of the prompt that is being read. 0: no prompt is being read. */
  #total = 0;

  /** Replaces two methods of the pipeline. Attach it after `KeptPrompt`, which removes the cached tokens from the prompts. */
  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
    pipeline.prefillChunkSize = Math.min(pipeline.prefillChunkSize, PASS);
    const input = pipeline.getInputData.bind(pipeline);
    const forward = pipeline.embedAndForward.bind(pipeline);
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

  /** Reports on the next prompt to `onread`. */
  begin(onread: OnRead): void {
    this.#onread = onread;
  }

  async #passed(): Promise<void> {
    // After the last pass, WebLLM itself waits for the GPU, and the first token follows.
    if (this.#pipeline.filledKVCacheLength >= this.#total) {
      this.#total = 0;
      return;
    }
    await this.#pipeline.device.sync();
    this.#report();
  }

  #report(): void {
    this.#onread(this.#pipeline.filledKVCacheLength, this.#total);
  }
}
