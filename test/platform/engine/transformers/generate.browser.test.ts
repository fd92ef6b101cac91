/** @file Tests text generation on the CPU with random weights. The answers are meaningless unless a grammar fixes their text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_MAX_TOKENS, planBounds, worstCaseTokens } from '../../../../src/core/conductor/bounds';
import { workflowGrammar } from '../../../../src/core/conductor/grammar';
import {
  isAbort,
  type EngineEvent,
  type GenerateRequest,
  type LocalEngine,
  type PromptProgress,
} from '../../../../src/core/contract';
import { load, manifestOf, request, withModel, write, type Written } from './models';
import { grammarCase } from '../grammar-cases';
import { writeWorkflow } from './workflows';

const LONG = 4000;
const ENDLESS = 'root ::= [a-z] root';
let engine: LocalEngine;

beforeAll(async () => {
  engine = await load(manifestOf('plain')).engine;
}, 180_000);
afterAll(() => engine.dispose());

/** Stops an endless answer after this many deltas. @returns what the engine threw */
async function stopAfter(deltas: number): Promise<unknown> {
  const stop = new AbortController();
  let received = 0;
  try {
    for await (const event of engine.generate(request({ maxTokens: LONG, grammar: ENDLESS }), stop.signal)) {
      if (event.type === 'delta' && ++received === deltas) stop.abort();
    }
  } catch (thrown) {
    return thrown;
  }
  return null;
}

describe('a workflow generated with a grammar', () => {
  it(
    'parses and satisfies every invariant, for each pool size, step limit and access scheme',
    { timeout: 120_000 },
    async () => {
      let tokens = 0;
      const began = performance.now();
      for (let number = 0; number < 90; number++) tokens += await writeWorkflow(engine, grammarCase(number), number);
      console.info(
        `${tokens} tokens under a grammar, ${Math.round((tokens / (performance.now() - began)) * 1000)} a second`,
      );
    },
  );

  it('stays within the token limit of a plan, 6 times out of 6', { timeout: 120_000 }, async () => {
    let most = 0;
    for (let number = 0; number < 6; number++) {
      const options = { poolSize: 9, maxSteps: 5, access: number % 2 === 0 ? 'binary' : 'fine' } as const;
      const bounds = planBounds(options);
      expect(worstCaseTokens(options, bounds)).toBeLessThanOrEqual(PLAN_MAX_TOKENS);
      most = Math.max(most, await writeWorkflow(engine, options, number, bounds));
    }
    console.info(`at most ${most} tokens a plan, of ${PLAN_MAX_TOKENS}`);
  });

  it('is also valid at temperature 0', async () => {
    await writeWorkflow(
      { ...engine, generate: (requested, signal) => engine.generate({ ...requested, temperature: 0 }, signal) },
      grammarCase(40),
      0,
    );
  });

  it('is not reported as complete if the token limit cut it off', async () => {
    const grammar = workflowGrammar(grammarCase(40));
    const { ending } = await write(engine, request({ grammar, maxTokens: 5 }));
    expect(ending).toMatchObject({ finishReason: 'length', usage: { output: 5 } });
  });

  it.each(['root ::= missing', 'root ::= "a', ''])(
    'fails if the grammar is invalid (%s), and the next workflow is valid',
    async (grammar) => {
      const { ending } = await write(engine, request({ grammar }));
      expect(ending).toMatchObject({ type: 'failed', fault: { code: 'bad-request', retryable: false } });
      await writeWorkflow(engine, grammarCase(7), 1);
    },
  );

  it('ends at the token limit if the grammar never allows the text to end', async () => {
    const { ending } = await write(engine, request({ grammar: 'root ::= "a" root', maxTokens: 20 }));
    expect(ending).toMatchObject({ type: 'finished', finishReason: 'length' });
  });
});

describe('an answer', () => {
  it('is streamed, with its tokens counted and its speed measured', async () => {
    const events: EngineEvent[] = [];
    const requested = request({ maxTokens: 40, grammar: 'root ::= [a-z]{40,60}' });
    for await (const event of engine.generate(requested, new AbortController().signal)) events.push(event);
    // The first delta is short, because it is sent without buffering.
    const deltas = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas[0]?.length).toBeLessThan(20);
    expect(deltas.join('').length).toBeGreaterThan(39);
    const ending = events.at(-1);
    expect(ending).toMatchObject({ type: 'finished', cost: 0 });
    if (ending?.type !== 'finished') return;
    const { usage, speed } = ending;
    expect(usage?.input).toBeGreaterThan(10);
    expect(speed).toMatchObject({ promptTokens: usage?.input, decodeTokens: usage?.output });
    for (const rate of [speed?.prefill, speed?.decode, speed?.firstToken, speed?.grammar])
      expect(rate).toBeGreaterThan(0);
  });

  it('is the same for the same seed, and differs for another seed', async () => {
    const [one, again, other] = [
      await write(engine, request({ seed: 5 })),
      await write(engine, request({ seed: 5 })),
      await write(engine, request({ seed: 6 })),
    ];
    expect(again.text).toBe(one.text);
    expect(other.text).not.toBe(one.text);
  });

  it('is the same for different seeds at temperature 0', async () => {
    const [one, other] = [
      await write(engine, request({ seed: 5, temperature: 0 })),
      await write(engine, request({ seed: 6, temperature: 0 })),
    ];
    expect(other.text).toBe(one.text);
  });

  it('ends at the token limit', async () => {
    const { ending } = await write(engine, request({ maxTokens: 7, grammar: 'root ::= [a-z]+' }));
    expect(ending).toMatchObject({ finishReason: 'length', usage: { output: 7 } });
  });

  it('keeps multi-byte characters intact', async () => {
    const words = '“Grüsse”, 日本語 ≥ 🎻';
    const { text } = await write(engine, request({ grammar: `root ::= "${words}"`, maxTokens: 64 }));
    expect(text).toBe(words);
  });

  it('fails as too large if the prompt exceeds the context window', async () => {
    const messages = [{ role: 'user', content: 'one two three '.repeat(3000) }] as const;
    const { ending } = await write(engine, request({ messages }));
    expect(ending).toMatchObject({ type: 'failed', fault: { code: 'too-large' } });
  });
});

describe('instructions that several prompts share', () => {
  const INSTRUCTIONS = 'Write a workflow for the question. Think first, then name a worker for each step. '.repeat(8);
  const asking = (question: string): GenerateRequest =>
    request({
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: question },
      ],
      grammar: ENDLESS,
      maxTokens: 24,
    });
  const readOf = ({ ending }: Written) => (ending.type === 'finished' ? ending.speed?.promptTokens : null) ?? 0;

  it('are processed once, without changing the answers', async () => {
    const [first, second, again] = [
      await write(engine, asking('What is 2 + 2?')),
      await write(engine, asking('Why is the sky blue?')),
      await write(engine, asking('What is 2 + 2?')),
    ];
    expect(readOf(first)).toBe(first.ending.usage?.input);
    expect(readOf(second)).toBeLessThan(readOf(first) / 4);
    expect(second.ending.usage?.input).toBeGreaterThan(readOf(first) - 20);
    expect(again.text).toBe(first.text);
    expect(second.text).not.toBe(first.text);
    await withModel({}, async (fresh) => {
      expect((await write(fresh, asking('Why is the sky blue?'))).text).toBe(second.text);
    });
  });

  it('are reported as processed before the rest of the prompt is processed', async () => {
    const progressOf = async (requested: GenerateRequest) => {
      const progress: (PromptProgress | null)[] = [];
      for await (const event of engine.generate(requested, new AbortController().signal, (each) =>
        progress.push(each),
      )) {
        if (event.type === 'finished') return { progress, total: event.usage?.input ?? 0 };
      }
      throw new Error('The answer has no ending.');
    };
    const { progress, total } = await progressOf(asking('What is 3 + 3?'));
    const read = progress[2]?.read ?? 0;
    expect(progress).toEqual([null, { read: 0, total }, { read, total }]);
    expect(read).toBeGreaterThan(total / 2);
    expect(read).toBeLessThan(total);
    const short = await progressOf(request());
    expect(short.progress).toEqual([null, { read: 0, total: short.total }]);
  });

  it('are processed again when they change, and give the same answer after a stopped call', async () => {
    const before = await write(engine, asking('Which way?'));
    const other = await write(engine, {
      ...asking('Which way?'),
      messages: [
        { role: 'system', content: `Other. ${INSTRUCTIONS}` },
        { role: 'user', content: 'Which way?' },
      ],
    });
    expect(readOf(other)).toBe(other.ending.usage?.input);
    expect(isAbort(await stopAfter(2))).toBe(true);
    expect((await write(engine, asking('Which way?'))).text).toBe(before.text);
  });
});

describe('an interrupted answer', () => {
  it('throws an AbortError, and does not change the text of the next answer', async () => {
    const undisturbed = await write(engine, request({ seed: 9, maxTokens: 30 }));
    for (const deltas of [1, 2, 10]) {
      expect(isAbort(await stopAfter(deltas))).toBe(true);
      expect(await write(engine, request({ seed: 9, maxTokens: 30 }))).toMatchObject({ text: undisturbed.text });
    }
  });

  it('can be stopped before its first delta, and the next answer finishes', async () => {
    const stop = new AbortController();
    const answer = engine.generate(request({ maxTokens: LONG }), stop.signal)[Symbol.asyncIterator]();
    const first = answer.next();
    stop.abort();
    expect(isAbort(await first.catch((thrown: unknown) => thrown))).toBe(true);
    expect((await write(engine, request())).ending).toMatchObject({ type: 'finished' });
  });

  it('can be abandoned after its first delta, and the next answer finishes', async () => {
    for await (const event of engine.generate(request({ maxTokens: LONG }), new AbortController().signal)) {
      if (event.type === 'delta') break;
    }
    expect((await write(engine, request())).ending).toMatchObject({ type: 'finished' });
  });

  it('throws an AbortError if the signal has already aborted', async () => {
    const thrown: unknown = await write(engine, request(), AbortSignal.abort()).catch((because: unknown) => because);
    expect(isAbort(thrown)).toBe(true);
  });
});

describe('several answers at once', () => {
  it('are generated one after the other', async () => {
    const order: string[] = [];
    const listen = async (name: string) => {
      for await (const event of engine.generate(
        request({ grammar: 'root ::= [a-z]{20}' }),
        new AbortController().signal,
      )) {
        order.push(`${name} ${event.type}`);
      }
    };
    await Promise.all(['one', 'two', 'three'].map(listen));
    const names = order.map((entry) => entry.split(' ')[0]);
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual(['one', 'two', 'three']);
  });

  it('finish even if an answer queued between them is canceled', async () => {
    const stop = new AbortController();
    const [first, second, third] = [
      write(engine, request()),
      write(engine, request(), stop.signal).catch((thrown: unknown) => thrown),
      write(engine, request()),
    ];
    stop.abort();
    expect(isAbort(await second)).toBe(true);
    expect((await first).text).toBe((await third).text);
  });
});
