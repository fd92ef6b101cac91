/** @file Generates one answer with a loaded model. Streams its text, counts its tokens and measures its speed. */
import {
  InterruptableStoppingCriteria,
  LogitsProcessorList,
  random,
  Tensor,
  TextStreamer,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { FaultError, type EngineSpeed } from '../../../core/contract';
import type { GenerateCommand } from '../generate-command';
import { Detokenizer } from './detokenizer';
import { fitBounds } from '../bounded-text';
import { promptFault, type Named } from '../engine-faults';
import { endlessGrammarFault } from './transformers-faults';
import type { GrammarMask, Grammars } from './grammar-mask';
import type { KeptPrefix } from './kept-prefix';

export interface AnswerOptions {
  readonly named: Named;
  readonly model: PreTrainedModel;
  readonly tokenizer: PreTrainedTokenizer;
  readonly grammars: Pick<Grammars, 'mask'>;
  readonly prefix: Pick<KeptPrefix, 'begin'>;
  readonly context: number;
  readonly ends: readonly number[];
  /** @param usage the tokens of the prompt and of the answer so far */
  readonly ontext: (text: string, usage: Ending['usage']) => void;
  /**
   * Called with 0 before the prompt is read. If the prompt has a cacheable prefix, this function is called again when the prefix
   * has been read or found in the cache. Then `read` is the prefix's length in tokens.
   */
  readonly onread: (read: number, total: number) => void;
}

export interface Ending {
  readonly usage: { readonly input: number; readonly output: number };
  readonly finishReason: 'stop' | 'length';
  readonly speed: EngineSpeed;
}

/**
 * Shortest time between two pieces of text, ms. Sending a piece costs the Web Worker and the page more time than adding a token
 * to an unsent piece.
 */
const BETWEEN_PIECES = 20;
/**
 * Time between two pauses in which the Web Worker receives messages, ms. On the CPU, the library never yields to the event loop,
 * so without pauses the message to stop would not arrive.
 */
const BETWEEN_BREATHS = 25;

export class Answer {
  readonly #options: AnswerOptions;
  readonly #stopper = new InterruptableStoppingCriteria();
  #isStopped = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopper.interrupt();
  }

  /**
   * Generates the answer. Resolves with `null` if the answer was stopped before its end. Throws a
   * `FaultError` or an error of the library.
   */
  async write(command: GenerateCommand): Promise<Ending | null> {
    const { grammars, named } = this.#options;
    const began = performance.now();
    const prompt = this.#prompt(command);
    const left = this.#options.context - (prompt.dims.at(-1) ?? 0);
    const bounds = fitBounds(command.bounds, command.maxTokens, left);
    const mask =
      command.grammar === null ? null : await grammars.mask(command.grammar, bounds, () => endlessGrammarFault(named));
    const grammarTime = mask ? performance.now() - began : null;
    try {
      return this.#isStopped ? null : await this.#generate(command, prompt, mask, { began, grammar: grammarTime });
    } finally {
      mask?.dispose();
    }
  }

  #prompt({ messages, grammar }: GenerateCommand): Tensor {
    const { tokenizer, context, named } = this.#options;
    const tokens = tokenizer.apply_chat_template([...messages], {
      add_generation_prompt: true,
      return_dict: false,
      // A grammar allows no thoughts. With this setting, the template of a thinking model adds an empty thought
      // to the prompt, so that the model writes none.
      ...(grammar === null ? {} : { enable_thinking: false }),
    });
    if (!(tokens instanceof Tensor)) throw new TypeError('The chat template returned no tokens.');
    const count = tokens.dims.at(-1) ?? 0;
    if (count >= context) throw new FaultError(promptFault(named, count, context));
    return tokens;
  }

  async #generate(
    { messages, temperature, maxTokens, seed }: GenerateCommand,
    prompt: Tensor,
    mask: GrammarMask | null,
    { began, grammar }: { readonly began: number; readonly grammar: number | null },
  ): Promise<Ending | null> {
    const { model, tokenizer, prefix, context, ends, ontext, onread } = this.#options;
    const promptTokens = prompt.dims.at(-1) ?? 0;
    const detokenizer = new Detokenizer((tokens) =>
      tokenizer.decode(tokens, { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
    );
    // The templates of some models write the opening think tag, and the model writes only the closing one.
    let opening = !mask && opensThought(tokenizer, prompt) ? '<think>' : '';
    const emit = (text: string) => {
      if (text !== '') ontext(opening + text, { input: promptTokens, output: written.count });
      opening = '';
    };
    let emittedAt = Number.NEGATIVE_INFINITY;
    const written = new WrittenTokens(tokenizer, (token, at) => {
      mask?.accept(token);
      detokenizer.push(token);
      if (at - emittedAt < BETWEEN_PIECES) return;
      const text = detokenizer.read();
      if (text === '') return;
      emittedAt = at;
      emit(text);
    });
    const processors = new LogitsProcessorList();
    if (mask) processors.push(mask);
    const rest = breathingSpace();
    const started = performance.now();
    onread(0, promptTokens);
    const begun = await prefix.begin(messages, prompt);
    if (begun) onread(begun.tokens, promptTokens);
    await rest();
    if (this.#isStopped) {
      await begun?.dispose();
      return null;
    }
    if (seed !== undefined) random.seed(seed);
    await withAfterthought(
      model,
      async () => {
        await mask?.ready();
        await rest();
      },
      () =>
        model.generate({
          inputs: prompt,
          attention_mask: onesLike(prompt),
          max_new_tokens: Math.min(maxTokens, context - promptTokens),
          do_sample: temperature > 0,
          temperature: temperature > 0 ? temperature : 1,
          eos_token_id: [...ends],
          logits_processor: processors,
          stopping_criteria: this.#stopper,
          streamer: written,
          ...(begun ? { past_key_values: begun.cache } : {}),
        }),
    ).finally(() => begun?.dispose());
    const isEnded = written.last !== null && ends.includes(Number(written.last));
    if (this.#isStopped && !isEnded) return null;
    emit(detokenizer.flush());
    return {
      usage: { input: promptTokens, output: written.count },
      finishReason: isEnded ? 'stop' : 'length',
      speed: { ...written.speed(promptTokens - (begun?.reused ?? 0), started, began), grammar },
    };
  }
}

/**
 * Counts and times the tokens of an answer. The library first passes the tokens of the prompt, and this class ignores them.
 * Replaces the library's own streamer, which buffers text until the next space.
 */
class WrittenTokens extends TextStreamer {
  readonly #onwritten: (token: bigint, at: number) => void;
  #isPrompt = true;
  #firstAt = 0;
  #lastAt = 0;
  count = 0;
  last: bigint | null = null;

  constructor(tokenizer: PreTrainedTokenizer, onwritten: (token: bigint, at: number) => void) {
    super(tokenizer);
    this.#onwritten = onwritten;
  }

  override put(rows: bigint[][]): void {
    const token = rows[0]?.at(-1);
    if (this.#isPrompt || token === undefined) {
      this.#isPrompt = false;
      return;
    }
    this.#lastAt = performance.now();
    if (this.count === 0) this.#firstAt = this.#lastAt;
    this.count++;
    this.last = token;
    this.#onwritten(token, this.#lastAt);
  }

  override end(): void {}

  speed(promptTokens: number, started: number, began: number): Omit<EngineSpeed, 'grammar'> {
    const decoding = this.#lastAt - this.#firstAt;
    const prefilling = this.#firstAt - started;
    return {
      promptTokens,
      decodeTokens: this.count,
      prefill: this.count > 0 && prefilling > 0 ? (promptTokens / prefilling) * 1000 : null,
      decode: this.count > 1 && decoding > 0 ? ((this.count - 1) / decoding) * 1000 : null,
      firstToken: this.count > 0 ? this.#firstAt - began : null,
    };
  }
}

function opensThought(tokenizer: PreTrainedTokenizer, prompt: Tensor): boolean {
  const { data } = prompt;
  if (!(data instanceof BigInt64Array)) return false;
  return tokenizer
    .decode([...data.slice(-8)], { skip_special_tokens: false })
    .trimEnd()
    .endsWith('<think>');
}

function onesLike(tensor: Tensor): Tensor {
  return new Tensor('int64', new BigInt64Array(tensor.size).fill(1n), tensor.dims);
}

/**
 * Runs `work`, and awaits `afterthought` after each forward pass of the model. The library has no hook for this, so this function
 * replaces `forward` until `work` ends.
 */
async function withAfterthought<T>(
  model: PreTrainedModel,
  afterthought: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const forward = model.forward.bind(model);
  model.forward = async (inputs) => {
    const outputs: unknown = await forward(inputs);
    await afterthought();
    return outputs;
  };
  try {
    return await work();
  } finally {
    model.forward = forward;
  }
}

/**
 * Returns a function that pauses to receive messages if at least `BETWEEN_BREATHS` ms have passed since the
 * last pause.
 */
function breathingSpace(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < BETWEEN_BREATHS) return;
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
    last = performance.now();
  };
}
