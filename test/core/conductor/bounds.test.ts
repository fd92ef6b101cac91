/** @file Tests how the token limit of a plan is divided among the thought, the subtasks and the lists. */
import { describe, expect, it } from 'vitest';
import { PLAN_MAX_TOKENS, planBounds, textBounds, worstCaseTokens } from '../../../src/core/conductor/bounds';
import type { GrammarOptions } from '../../../src/core/conductor/grammar';
import type { AccessScheme } from '../../../src/core/contract';

const SCHEMES: readonly AccessScheme[] = ['binary', 'fine'];
const POOLS = Array.from({ length: 9 }, (_, index) => index + 1);
const STEPS = [1, 2, 3, 4, 5];

describe('the longest plan', () => {
  it.each(SCHEMES)(
    'stays within `PLAN_MAX_TOKENS` for up to nine workers and five steps with the access scheme “%s”',
    (access) => {
      for (const poolSize of POOLS) {
        for (const maxSteps of STEPS) {
          for (const recursion of poolSize > 1 ? [false, true] : [false]) {
            const options: GrammarOptions = { poolSize, maxSteps, access, recursion, allowEmpty: true };
            expect(worstCaseTokens(options, planBounds(options))).toBeLessThanOrEqual(PLAN_MAX_TOKENS);
          }
        }
      }
    },
  );

  it('stays within a lower token limit', () => {
    const options: GrammarOptions = { poolSize: 3, maxSteps: 3, access: 'fine' };
    for (const tokens of [400, 512, 800]) {
      expect(worstCaseTokens(options, planBounds(options, tokens))).toBeLessThanOrEqual(tokens);
    }
  });

  it('exceeds `PLAN_MAX_TOKENS` with 16 steps, because the limit of each subtask is at least 32 tokens', () => {
    const options: GrammarOptions = { poolSize: 9, maxSteps: 16, access: 'fine' };
    const bounds = planBounds(options);
    expect(bounds.subtask).toBe(32);
    expect(worstCaseTokens(options, bounds)).toBeGreaterThan(PLAN_MAX_TOKENS);
  });

  it('is shorter than 400 tokens if its only step is prescribed and it has no thought', () => {
    const steps = [{ worker: 0, access: [] }];
    const options: GrammarOptions = { poolSize: 3, maxSteps: 5, access: 'fine', skeleton: { steps }, thought: false };
    const bounds = planBounds(options);
    expect(bounds).toEqual({ thought: 0, subtask: 256 });
    expect(worstCaseTokens(options, bounds)).toBeLessThan(400);
    expect(textBounds(bounds)).toHaveLength(1);
  });
});

it('`planBounds` allows a thought of 100 words (133 tokens) and five subtasks of 80 words (106 tokens) each', () => {
  const { thought, subtask } = planBounds({ poolSize: 9, maxSteps: 5, access: 'fine' });
  expect(thought).toBeGreaterThan(133);
  expect(subtask).toBeGreaterThan(106);
});
