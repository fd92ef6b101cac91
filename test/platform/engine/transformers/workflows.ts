/** Workflows under the grammar, for every pool, number of steps and scheme: what random weights write must be one. */
import { expect } from 'vitest';
import { grammarWorstCaseLength, workflowGrammar, type GrammarOptions } from '../../../../src/core/conductor/grammar';
import { parseWorkflow } from '../../../../src/core/conductor/parse';
import { checkWorkflow, type LocalEngine } from '../../../../src/core/contract';
import { request, write } from './models';

/** A character has at most four bytes, and a token at least one. */
const TOKENS_PER_CHARACTER = 4;

/** Small, so that many are written in a minute. */
const LIMITS = { thought: 12, subtask: 6 };

/** The case with a number: pools of 1 to 9, 1 to 5 steps, both schemes, all of them within 90 numbers. */
export function grammarCase(number: number): GrammarOptions {
  return {
    poolSize: 1 + (number % 9),
    maxSteps: 1 + (Math.floor(number / 9) % 5),
    access: Math.floor(number / 45) % 2 === 0 ? 'binary' : 'fine',
    limits: LIMITS,
  };
}

/** Writes one and holds it against the parser and the invariants. */
export async function writeWorkflow(engine: LocalEngine, options: GrammarOptions, seed: number): Promise<number> {
  const { text, ending } = await write(
    engine,
    request({
      grammar: workflowGrammar(options),
      maxTokens: grammarWorstCaseLength(options) * TOKENS_PER_CHARACTER + 1,
      seed,
    }),
  );
  expect(ending, text).toMatchObject({ type: 'finished', finishReason: 'stop' });
  const limits = { poolSize: options.poolSize, maxSteps: options.maxSteps };
  const parsed = parseWorkflow(text, { ...limits, cutOff: false });
  if (!parsed.ok) throw new Error(`${parsed.problem.message}\n${text}`);
  expect(checkWorkflow(parsed.workflow, limits)).toBeNull();
  return ending.usage?.output ?? 0;
}
