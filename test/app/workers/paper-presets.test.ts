import { describe, expect, test } from 'vitest';
import { PAPER_POOL, presetWords } from '../../../src/app/workers/paper-presets';

const wordsOf = (name: string, setting: 'constrained' | 'unconstrained') =>
  PAPER_POOL.filter((member) => member.name === name).map(({ settings }) => presetWords(settings[setting]));

describe('the settings of a worker preset', () => {
  test.each([
    ['Gemini 2.5 Pro', 'constrained', '4,096 output tokens, 128 tokens of thinking, temperature 0.2'],
    ['Gemini 2.5 Pro', 'unconstrained', '65,535 output tokens, 32,768 tokens of thinking'],
    ['Claude Sonnet 4', 'constrained', '4,096 output tokens, no thinking, temperature 0.2'],
    ['GPT-5', 'constrained', '4,096 output tokens, minimal thinking, temperature 0.2'],
    ['GPT-5', 'unconstrained', '128,000 output tokens, high thinking'],
    [
      'Qwen3 32B direct',
      'constrained',
      '4,096 output tokens, no thinking, temperature 0.2, top-p 0.8, top-k 20, presence penalty 1',
    ],
  ] as const)('are listed in words for %s (%s)', (name, setting, words) => {
    expect(wordsOf(name, setting)).toEqual([words]);
  });
});
