/** @file Tests Podium with WebLLM's real engine and a simulated model, from loading to sampling. */
import { describe, expect, it } from 'vitest';
import { PLAN_MAX_TOKENS, planBounds, textBounds } from '../../../../src/core/conductor/bounds';
import { workflowGrammar, type GrammarOptions } from '../../../../src/core/conductor/grammar';
import { parseWorkflow } from '../../../../src/core/conductor/parse';
import {
  checkWorkflow,
  type EngineEvent,
  type GenerateRequest,
  type LocalEngine,
  type Message,
  type PromptProgress,
} from '../../../../src/core/contract';
import { emptyThoughtTokens } from '../../../../src/platform/engine/webllm/empty-thought';
import { KeptPrompt } from '../../../../src/platform/engine/webllm/kept-prompt';
import { createWebLlmLoader } from '../../../../src/platform/engine/webllm/loader';
import { FakeClock } from '../../../fixtures/fake-clock';
import { grammarCase } from '../grammar-cases';
import { launched, LocalWorker, scriptedManifest } from './scripted-engine';
import { simulatedEngine, type Simulated, type SimulatedOptions } from './simulated-library';
import { SimulatedTokenizer } from './simulated-tokenizer';

const unstopped = new AbortController().signal;
const tokenizer = new SimulatedTokenizer();
const INSTRUCTIONS = 'You divide a question among workers.\n'.repeat(20);

interface Loaded extends Simulated {
  readonly local: LocalEngine;
}

async function load(options: SimulatedOptions & { readonly canThink?: boolean } = {}): Promise<Loaded> {
  const simulated = await simulatedEngine(options);
  const { engine, bounds, prompts, reading, templated, pipeline } = simulated;
  const emptyThought = options.canThink ? emptyThoughtTokens(pipeline) : 0;
  const worker = new LocalWorker(launched(engine, { bounds, prompts, reading, templated, emptyThought }));
  const loader = createWebLlmLoader({ clock: new FakeClock(), createWorker: () => worker });
  const local = await loader.load(scriptedManifest, () => undefined, unstopped);
  return { ...simulated, local };
}

function question(text: string, more: readonly Message[] = []): Message[] {
  return [{ role: 'system', content: INSTRUCTIONS }, { role: 'user', content: text }, ...more];
}

function request(more: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    messages: question('What is six times seven?'),
    grammar: null,
    temperature: 1,
    maxTokens: 12,
    seed: 5,
    ...more,
  };
}

async function write({ local }: Pick<Loaded, 'local'>, requested: GenerateRequest, signal = unstopped) {
  const events: EngineEvent[] = [];
  const progress: (PromptProgress | null)[] = [];
  for await (const event of local.generate(requested, signal, (each) => progress.push(each))) events.push(event);
  const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  return { text, ending: events.at(-1), progress };
}

/** Stops the answer after this number of deltas. */
async function stopAfter({ local }: Loaded, pieces: number, requested: GenerateRequest): Promise<void> {
  const stop = new AbortController();
  let seen = 0;
  if (seen === pieces) queueMicrotask(() => stop.abort());
  const reading = async () => {
    for await (const event of local.generate(requested, stop.signal)) {
      if (event.type === 'delta' && ++seen >= pieces) stop.abort();
    }
  };
  await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
}

/** Stops the answer when a part of its prompt has been read. */
async function stopWhileReading({ local }: Loaded, requested: GenerateRequest): Promise<void> {
  const stop = new AbortController();
  const reading = async () => {
    const answer = local.generate(requested, stop.signal, (each) => {
      if (each && each.read > 0) stop.abort();
    });
    for await (const event of answer) throw new Error(`There should be no ${event.type}.`);
  };
  await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
}

describe('a plan written by random weights', () => {
  it('ends within 1,024 tokens and parses, for each pool size', { timeout: 120_000 }, async () => {
    const loaded = await load({ context: 2048 });
    for (let seed = 1; seed <= 9; seed++) {
      const options: GrammarOptions = grammarCase(seed * 10);
      const { text, ending } = await write(loaded, planRequest(options, seed));
      expect(ending, text).toMatchObject({ type: 'finished', finishReason: 'stop' });
      expect(ending).toHaveProperty(
        'usage.output',
        expect.toSatisfy((count: number) => count <= PLAN_MAX_TOKENS),
      );
      const limits = { poolSize: options.poolSize, maxSteps: options.maxSteps };
      const parsed = parseWorkflow(text, { ...limits, cutOff: false });
      if (!parsed.ok) throw new Error(`${parsed.problem.message}\n${text}`);
      expect(checkWorkflow(parsed.workflow, limits)).toBeNull();
      expect(text).not.toMatch(/\n{7}/);
    }
  });

  it('is cut off by the token limit if its texts have no bounds', async () => {
    const { text, ending } = await write(await load(), {
      ...planRequest(grammarCase(40), 1),
      bounds: [],
      maxTokens: 300,
    });
    expect(ending).toMatchObject({ finishReason: 'length' });
    expect(parseWorkflow(text, { poolSize: 9, maxSteps: 5 }).ok).toBe(false);
  });

  it('makes the engine copy logits from the GPU only for the first token, and when a text has reached its limit', async () => {
    const loaded = await load();
    await write(
      loaded,
      request({ grammar: 'root ::= "\\"" [a-z]* "\\""', bounds: textBounds({ thought: 0, subtask: 50 }) }),
    );
    expect(loaded.model.copies).toBe(1);
    const limited = request({ grammar: 'root ::= "\\"" [a-z]* "\\""', bounds: textBounds({ thought: 0, subtask: 3 }) });
    const { text } = await write(loaded, limited);
    expect(text).toMatch(/^"[a-z]{0,6}"$/);
    expect(loaded.model.copies).toBe(3);
  });

  function planRequest(options: GrammarOptions, seed: number): GenerateRequest {
    const bounds = textBounds(planBounds(options));
    return request({ grammar: workflowGrammar(options), bounds, maxTokens: PLAN_MAX_TOKENS, seed });
  }
});

describe('the prompt of a call', () => {
  const rounds: readonly [name: string, requested: GenerateRequest][] = [
    ['the first plan', request()],
    ['another candidate', request({ seed: 6 })],
    ['another question', request({ messages: question('Name a river.') })],
    ['a correction', request({ messages: question('Name a river.', correction('A plan.')) })],
    ['the plan under a grammar', request({ grammar: 'root ::= [a-z ]*', messages: question('Name a river.') })],
    ['other instructions', request({ messages: [{ role: 'user', content: 'Hello' }] })],
    ['the first plan again', request()],
  ];

  it('is evaluated only where it differs from the last prompt, without changing the answers', async () => {
    const kept = await load();
    const whole = await load({ keepsPrompts: false });
    for (const [name, requested] of rounds) {
      const [one, other] = [await write(kept, requested), await write(whole, requested)];
      expect([name, one.text]).toEqual([name, other.text]);
      expect(kept.model.cache).toEqual(whole.model.cache);
      expect(usageOf(one)).toEqual(usageOf(other));
      expect(usageOf(one).input).toBeGreaterThan(0);
    }
    const read = ({ model }: Loaded) => model.passes.reduce((sum, tokens) => sum + tokens, 0);
    expect(read(kept)).toBeLessThan(read(whole) / 2);
  });

  it('is evaluated from its last token if unchanged, or from the question if the question changed', async () => {
    const loaded = await load();
    const first = await write(loaded, request());
    expect(loaded.prompts?.last).toMatchObject({ kept: 0 });
    const { input } = usageOf(first);
    await write(loaded, request({ seed: 6 }));
    expect(loaded.prompts?.last).toEqual({ tokens: input, kept: input - 1 });
    await write(loaded, request({ messages: question('Name a river.') }));
    const { tokens = 0, kept = 0 } = loaded.prompts?.last ?? {};
    expect(tokens - kept).toBeLessThan(60);
    expect((tokens - kept) / input).toBeLessThan(0.2);
  });

  it('is read with progress reports that count cached tokens as read', async () => {
    const loaded = await load();
    const first = await write(loaded, request());
    const { input } = usageOf(first);
    expect(input).toBeGreaterThan(300);
    const passes = Math.ceil(input / 64);
    expect(first.progress).toEqual([
      null,
      ...Array.from({ length: passes }, (_, pass) => ({ read: 64 * pass, total: input })),
    ]);
    const candidate = await write(loaded, request({ seed: 6 }));
    expect(candidate.progress).toEqual([null, { read: input - 1, total: input }]);
    const whole = await write(await load({ keepsPrompts: false }), request());
    expect(whole.progress).toEqual(first.progress);
  });

  it('is read in passes of at most 256 tokens, without changing the answer', async () => {
    const loaded = await load({ chunk: 1024 });
    const { text, progress, ending } = await write(loaded, request());
    expect(progress.length).toBeGreaterThan(2);
    expect(loaded.model.passes.slice(0, 2)).toEqual([256, 256]);
    const one = await load({ chunk: 1024 });
    one.pipeline.prefillChunkSize = 1024;
    const same = await write(one, request());
    expect(one.model.passes[0]).toBeGreaterThan(512);
    expect([same.text, same.ending]).toEqual([text, expect.objectContaining({ usage: usageOf({ ending }) })]);
  });

  it('gets the same answer after an earlier answer was stopped, cut off or failed', async () => {
    const loaded = await load({ context: 1024 });
    const expected = await write(await load({ context: 1024 }), request());
    const again = async () => expect((await write(loaded, request())).text).toBe(expected.text);
    await stopAfter(loaded, 0, request());
    await again();
    await stopAfter(loaded, 3, request({ maxTokens: 400 }));
    await again();
    await write(loaded, request({ maxTokens: 2 }));
    await again();
    const refused = await write(loaded, request({ messages: question('long '.repeat(900)) }));
    expect(refused.ending).toMatchObject({ type: 'failed', fault: { code: 'too-large' } });
    await again();
  });

  it('is not read further after a stop, and the stop does not change later answers', async () => {
    const loaded = await load();
    const grammars = [null, 'root ::= [a-z ]*', 'root ::= "Yes" | "No"'];
    for (const [index, grammar] of [...grammars, ...grammars].entries()) {
      const before = loaded.model.passes.length;
      const prompt: Message[] = [{ role: 'user', content: `${index} ${'more '.repeat(400)}` }];
      await stopWhileReading(loaded, request({ messages: prompt, grammar: `root ::= "${index}"` }));
      const next = request({ grammar });
      const { text } = await write(loaded, next);
      const passes = loaded.model.passes.slice(before);
      const whole = await load({ keepsPrompts: false });
      expect(text).toBe((await write(whole, next)).text);
      // The whole prompt needs 32 passes. Only the passes before the stop were made.
      const stopped = passes.length - whole.model.passes.length;
      expect(stopped).toBeGreaterThan(0);
      expect(stopped).toBeLessThan(10);
    }
  });

  it.each<[string, Parameters<typeof load>[0]]>([
    ['a model whose prompts are read as a whole', { keepsPrompts: false }],
    ['a model with a sliding window', { slidingWindow: 512 }],
    ['a thinking model', { canThink: true }],
  ])(
    'is not read further after a stop, and later answers are the same as those of a new engine: %s',
    async (_, options) => {
      const loaded = await load(options);
      const grammar = 'root ::= [a-z ]*';
      // WebLLM caches the last grammar. Here, calls after a stop use a new grammar or the cached one.
      const grammars = [null, grammar, grammar, 'root ::= "Yes" | "No"', grammar, null];
      for (const [index, each] of grammars.entries()) {
        const before = loaded.model.passes.length;
        const prompt: Message[] = [{ role: 'user', content: `${index} ${'more '.repeat(400)}` }];
        await stopWhileReading(loaded, request({ messages: prompt, grammar: each }));
        const next = request({ grammar: each, seed: index });
        const one = await write(loaded, next);
        const passes = loaded.model.passes.slice(before);
        const fresh = await load(options);
        const other = await write(fresh, next);
        expect([one.text, usageOf(one)]).toEqual([other.text, usageOf(other)]);
        expect(loaded.model.cache).toEqual(fresh.model.cache);
        const stopped = passes.length - fresh.model.passes.length;
        expect(stopped).toBeGreaterThan(0);
        expect(stopped).toBeLessThan(10);
      }
    },
  );

  it.each([
    ['has a sliding window', { slidingWindow: 512 }],
    ['cannot remove tokens', { lacks: 'vm.builtin.kv_state_popn' }],
  ])('is evaluated as a whole if the model %s', async (_, options) => {
    const loaded = await load(options);
    expect(loaded.prompts).toBeNull();
    const one = await write(loaded, request());
    expect((await write(loaded, request())).text).toBe(one.text);
  });

  it('is read as a whole if the model has a recurrent state, like Qwen3.5', async () => {
    const { pipeline } = await simulatedEngine({ keepsPrompts: false });
    const hybrid = new Proxy(pipeline, {
      get: (target, name) => (name === 'kvStateKind' ? 'hybrid' : (Reflect.get(target, name) as unknown)),
    });
    expect(KeptPrompt.attach(hybrid)).toBeNull();
    expect(KeptPrompt.attach(pipeline)).not.toBeNull();
  });

  it('reaches the model unchanged, whatever characters it contains', async () => {
    const hostile = 'Is $$x^2$$ = $1, $& or $`? {user_message} {system_message} é求😀';
    const loaded = await load();
    await write(loaded, request({ messages: question(hostile), maxTokens: 1 }));
    expect(tokenizer.decode(Int32Array.from(loaded.model.cache))).toContain(`<|im_start|>user\n${hostile}<|im_end|>`);
  });

  it('ends with an empty thought for a thinking model, but the answer contains no thought', async () => {
    const loaded = await load({ canThink: true });
    // A hundred letters, so that the text can't end before its limit.
    const grammar = `root ::= ${'ten '.repeat(10)}\nten ::= ${'[a-z ] '.repeat(10)}`;
    for (const seed of [5, 6]) {
      const { text, ending } = await write(loaded, request({ grammar, seed, maxTokens: 20 }));
      expect(text).toMatch(/^[a-z ]+$/);
      expect(ending).toMatchObject({ type: 'finished', finishReason: 'length', usage: { output: 20 } });
      expect(tokenizer.decode(Int32Array.from(loaded.model.cache))).toContain('assistant\n<think>\n\n</think>\n\n');
    }
    expect(loaded.prompts?.last?.kept).toBeGreaterThan(100);
  });

  function correction(answer: string): Message[] {
    return [
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Correct it.' },
    ];
  }
});

function usageOf({ ending }: Pick<Awaited<ReturnType<typeof write>>, 'ending'>): { input: number; output: number } {
  if (ending?.type !== 'finished' || !ending.usage) throw new Error('The answer has no usage.');
  const { input, output } = ending.usage;
  return { input, output };
}
