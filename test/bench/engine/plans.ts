/**
 * @file Measures whether a local model's plans end within their token limit and can be parsed. Also measures how many tokens of a
 * prompt the model evaluates if it has already evaluated a similar prompt.
 */
import { PLAN_MAX_TOKENS, planBounds, textBounds } from '../../../src/core/conductor/bounds';
import { DEFAULT_EXAMPLES } from '../../../src/core/conductor/examples';
import { workflowGrammar, type GrammarOptions } from '../../../src/core/conductor/grammar';
import { parseWorkflow } from '../../../src/core/conductor/parse';
import { fixedText } from '../../../src/core/conductor/prompt';
import { DEFAULT_TEMPLATE } from '../../../src/core/conductor/prompt-template';
import type { EngineEvent, GenerateRequest, LocalEngine } from '../../../src/core/contract';
import { grammarCase } from '../../platform/engine/grammar-cases';
import { table, type Print } from '../report';

type Engine = Pick<LocalEngine, 'generate'>;

interface Written {
  readonly text: string;
  /** Time from the request to the first text, ms. */
  readonly firstToken: number;
  readonly ending: Extract<EngineEvent, { type: 'finished' }>;
}

/** @param count number of plans, each with its own pool size, number of steps and seed */
export async function benchPlans(print: Print, title: string, engine: Engine, count: number): Promise<void> {
  const fixed = fixedText(DEFAULT_TEMPLATE, DEFAULT_EXAMPLES, 'fine');
  const requestOf = (options: GrammarOptions, question: string, seed: number): GenerateRequest => ({
    messages: [
      { role: 'system', content: fixed },
      { role: 'user', content: question },
    ],
    grammar: workflowGrammar(options),
    bounds: textBounds(planBounds(options)),
    temperature: 1,
    maxTokens: PLAN_MAX_TOKENS,
    seed,
  });
  const form: GrammarOptions = { poolSize: 5, maxSteps: 1, access: 'fine' };
  const first = await write(engine, requestOf(form, 'What is six times seven?', 1));
  const second = await write(engine, requestOf(form, 'Name a river in Asia.', 1));
  const candidate = await write(engine, requestOf(form, 'Name a river in Asia.', 2));

  const longest = [0];
  let ended = 0;
  let parsed = 0;
  for (let number = 1; number <= count; number++) {
    // The factor spreads a small `count` over the whole range of cases.
    const options = grammarCase(number * 7);
    const { text, ending } = await write(engine, requestOf(options, 'What is six times seven?', number));
    longest.push(ending.usage?.output ?? Infinity);
    if (ending.finishReason === 'stop') ended++;
    if (parseWorkflow(text, { ...options, cutOff: false }).ok) parsed++;
  }
  const read = (written: Written) => written.ending.speed?.promptTokens ?? Number.NaN;
  const prompt = ({ ending, ...written }: Written) => {
    const tokens = `${read({ ending, ...written })} of ${ending.usage?.input ?? '?'}`;
    const share = (read({ ending, ...written }) / read(first)).toFixed(3);
    return [tokens, share, written.firstToken.toFixed(0), (written.firstToken / first.firstToken).toFixed(3)];
  };
  table(
    print,
    title,
    ['', `of ${count}`],
    [
      [`plans that end within ${PLAN_MAX_TOKENS} tokens (aim: all)`, String(ended)],
      ['plans that can be parsed (aim: all)', String(parsed)],
      ['tokens of the longest plan', String(Math.max(...longest))],
    ],
  );
  const head = ['', 'tokens read', '÷ first', 'first token, ms', '÷ first (aim: at most 0.2)'];
  table(print, 'How much of each prompt the model reads', head, [
    ['the first plan', ...prompt(first)],
    ['another question', ...prompt(second)],
    ['another candidate', ...prompt(candidate)],
  ]);
}

async function write(engine: Engine, request: GenerateRequest): Promise<Written> {
  const began = performance.now();
  let firstToken = Number.NaN;
  let text = '';
  for await (const event of engine.generate(request, new AbortController().signal)) {
    if (event.type === 'failed') throw new Error(event.fault.message);
    if (event.type === 'finished') return { text, firstToken, ending: event };
    if (text === '') firstToken = performance.now() - began;
    text += event.text;
  }
  throw new Error('The engine ended without a finished event.');
}
