/**
 * @file Checks that a model with random weights writes a valid workflow under the grammar, for any pool size, step limit and
 * access scheme.
 */
import { expect } from 'vitest';
import { planBounds, textBounds, worstCaseTokens, type PlanBounds } from '../../../../src/core/conductor/bounds';
import { workflowGrammar, type GrammarOptions } from '../../../../src/core/conductor/grammar';
import { parseWorkflow } from '../../../../src/core/conductor/parse';
import { checkWorkflow, type GenerateRequest, type LocalEngine } from '../../../../src/core/contract';
import { request, write } from './models';

/** Small token limits for the thought and for each subtask. With them, a test can write many workflows in a minute. */
const SMALL: PlanBounds = { thought: 12, subtask: 6 };

/** Returns a request for a plan, with its grammar, its bounds, and a token limit for the worst case. */
function planRequest(options: GrammarOptions, seed: number, bounds: PlanBounds = planBounds(options)): GenerateRequest {
  return request({
    grammar: workflowGrammar(options),
    bounds: textBounds(bounds),
    maxTokens: worstCaseTokens(options, bounds),
    seed,
  });
}

/** Generates a workflow, and checks it with the parser and `checkWorkflow`. @returns the number of its output tokens */
export async function writeWorkflow(
  engine: Pick<LocalEngine, 'generate'>,
  options: GrammarOptions,
  seed: number,
  bounds: PlanBounds = SMALL,
): Promise<number> {
  const { text, ending } = await write(engine, planRequest(options, seed, bounds));
  expect(ending, text).toMatchObject({ type: 'finished', finishReason: 'stop' });
  const limits = { poolSize: options.poolSize, maxSteps: options.maxSteps };
  const parsed = parseWorkflow(text, { ...limits, cutOff: false });
  if (!parsed.ok) throw new Error(`${parsed.problem.message}\n${text}`);
  expect(checkWorkflow(parsed.workflow, limits)).toBeNull();
  return ending.usage?.output ?? 0;
}
