/**
 * @file The Web Worker that measures transformers.js with little of Podium's code. It loads the model and enforces the grammar as
 * Podium does. Unlike Podium, it decodes no text and sends no message until an answer ends, and it cannot stop an answer.
 */
import { LogitsProcessorList, random, Tensor, TextStreamer, type PreTrainedTokenizer } from '@huggingface/transformers';
import type { GenerateRequest } from '../../../src/core/contract';
import { endlessGrammarFault } from '../../../src/platform/engine/transformers/transformers-faults';
import type { GrammarMask } from '../../../src/platform/engine/transformers/grammar-mask';
import { loadModel, type LoadedModel } from '../../../src/platform/engine/transformers/load-model';
import { readCommand } from '../../../src/platform/engine/transformers/messages';
import { Progress } from '../../../src/platform/engine/transformers/progress';
import type { BareCommand, BareReport, Sample } from './contenders';

let loaded: LoadedModel | null = null;

self.addEventListener('message', async ({ data }: MessageEvent<BareCommand>) => {
  const report = (report: BareReport) => self.postMessage(report);
  if (data.type === 'load') {
    const progress = new Progress(
      () => undefined,
      () => performance.now(),
    );
    const command = readCommand(data.command);
    if (command.type !== 'load') throw new Error('Expected a load command.');
    loaded = await loadModel(command, progress);
    report({ type: 'loaded' });
  } else {
    if (!loaded) throw new Error('No model is loaded.');
    report({ type: 'ran', sample: await run(loaded, data.request) });
  }
});

class Counter extends TextStreamer {
  readonly tokens: bigint[] = [];
  readonly #mask: GrammarMask | null;
  #isPrompt = true;
  firstAt = 0;
  lastAt = 0;

  constructor(tokenizer: PreTrainedTokenizer, mask: GrammarMask | null) {
    super(tokenizer);
    this.#mask = mask;
  }

  override put(rows: bigint[][]): void {
    const token = rows[0]?.at(-1);
    if (this.#isPrompt || token === undefined) {
      this.#isPrompt = false;
      return;
    }
    this.lastAt = performance.now();
    if (this.tokens.length === 0) this.firstAt = this.lastAt;
    this.tokens.push(token);
    this.#mask?.accept(token);
    void this.#mask?.ready();
  }

  override end(): void {}
}

async function run({ model, tokenizer, grammars, ends }: LoadedModel, request: GenerateRequest): Promise<Sample> {
  const { messages, grammar, bounds = [], maxTokens, temperature, seed } = request;
  const began = performance.now();
  const prompt = tokenizer.apply_chat_template([...messages], {
    add_generation_prompt: true,
    return_dict: false,
    enable_thinking: false,
  });
  if (!(prompt instanceof Tensor)) throw new TypeError('The chat template returned no tokens.');
  const named = { label: 'The bare model', host: null };
  const mask = grammar === null ? null : await grammars.mask(grammar, bounds, () => endlessGrammarFault(named));
  const counter = new Counter(tokenizer, mask);
  const processors = new LogitsProcessorList();
  if (mask) processors.push(mask);
  if (seed !== undefined) random.seed(seed);
  await model.generate({
    inputs: prompt,
    attention_mask: new Tensor('int64', new BigInt64Array(prompt.size).fill(1n), prompt.dims),
    max_new_tokens: maxTokens,
    do_sample: temperature > 0,
    temperature: temperature > 0 ? temperature : 1,
    eos_token_id: [...ends],
    logits_processor: processors,
    streamer: counter,
  });
  mask?.dispose();
  const text = tokenizer.decode(counter.tokens, { skip_special_tokens: true, clean_up_tokenization_spaces: false });
  const { firstAt, lastAt, tokens } = counter;
  return { text, tokens: tokens.length, firstToken: firstAt - began, end: lastAt - began };
}
